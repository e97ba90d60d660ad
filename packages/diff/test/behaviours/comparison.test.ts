import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  addEvent,
  createTrace,
  errorEvent,
  type Json,
  llmRequestEvent,
  llmResponseEvent,
  loadTrace,
  parseJson,
  runEndEvent,
  runStartEvent,
  toolCallEvent,
  toolResultEvent,
} from '@stepfork/trace-format';
import { describe, expect, test } from 'vitest';
import { compareValues, type DiffResult, diffTraces, firstDifference, formatDiff } from '../../src/index.js';
import { differences, outline } from '../support/outline.js';
import { runOf } from '../support/run-builder.js';

const search = { tool: 'search', input: { q: 'x' }, output: { hits: 2 } };
const ask = { model: 'gpt-5', provider: 'openai', input: { prompt: 'hi' }, output: { text: 'hello' } };
const counter = { state: 'counter', before: 1, after: 2 };

const counts = (some: Partial<DiffResult['counts']>): DiffResult['counts'] => ({
  unchanged: 0,
  changed: 0,
  moved: 0,
  added: 0,
  removed: 0,
  ...some,
});

describe('what is compared', () => {
  test('B224 compares input, output and status of tool and LLM calls', () => {
    const result = diffTraces(
      runOf([search, ask], { output: 1 }),
      runOf(
        [
          { ...search, input: { q: 'y' } },
          { ...ask, failure: 'overloaded' },
        ],
        { output: 1 },
      ),
    );
    expect(outline(result)).toEqual([
      'changed tool search 0→0: input.q',
      'changed llm openai/gpt-5 1→1: output, status',
      'added error ToolTimeout -→2',
      'unchanged run run 2→3',
    ]);
  });

  test('B224 compares before and after of states, message of errors, run_status and output of the run', () => {
    const failing = (message: string) => ({ tool: 'pay', input: {}, failure: message });
    const result = diffTraces(
      runOf([counter, failing('a')], { output: { ok: true } }),
      runOf([{ ...counter, after: 3 }, failing('b')], { output: { ok: false }, status: 'failed' }),
    );
    expect(outline(result)).toEqual([
      'changed state counter 0→0: after',
      'changed tool pay 1→1: output.message',
      'changed error ToolTimeout 2→2: message',
      'changed run run 3→3: output.ok, run_status',
    ]);
  });

  test('B225 leaves out ids, times, steps, parents, policies, tokens, cost, response model, details and the manifest', () => {
    const build = (variant: 0 | 1) => {
      const trace = createTrace({
        agentName: `agent ${variant}`,
        runId: `run_${variant}`,
        createdAt: `2026-01-0${variant + 1}T00:00:00Z`,
        environment: { os: `os ${variant}` },
        tags: { variant: String(variant) },
      });
      const base = { duration_ms: variant, timestamp: `2026-01-01T00:00:0${variant}Z`, redactions: [] };
      const start = addEvent(trace, runStartEvent({ ...base, input: { variant } }));
      const parent = { parent_id: variant === 0 ? null : start.id };
      const policy = { replay_policy: variant === 0 ? 'frozen' : 'live' } as const;
      const call = addEvent(trace, toolCallEvent({ ...base, ...parent, ...policy, name: 'search', input: {} }));
      addEvent(trace, toolResultEvent({ ...base, parent_id: call.id, name: 'search', output: 1 }));
      const request = addEvent(trace, llmRequestEvent({ ...base, ...parent, ...policy, model: 'm', input: {} }));
      const usage = { prompt_tokens: variant, completion_tokens: variant, total_tokens: variant, cost_usd: variant };
      addEvent(trace, llmResponseEvent({ ...base, ...usage, parent_id: request.id, model: `m-${variant}`, output: 1 }));
      addEvent(trace, errorEvent({ ...base, ...parent, error_type: 'E', message: 'm', details: { variant } }));
      addEvent(trace, runEndEvent({ ...base, ...parent, run_status: 'completed', output: 1 }));
      return trace;
    };
    expect(diffTraces(build(0), build(1))).toMatchObject({ equivalent: true, counts: counts({ unchanged: 4 }) });
  });

  test('B226 finds runs with the same behaviour equivalent', () => {
    const deeds = [search, ask, counter, { tool: 'pay', failure: 'no' }];
    const result = diffTraces(runOf(deeds, { output: { ok: true } }), runOf(deeds, { output: { ok: true } }));
    expect(result.equivalent).toBe(true);
    expect(result.counts).toEqual(counts({ unchanged: 6 }));
    expect(result.approximate).toBeUndefined();
  });

  test('B236 compares nested calls too', () => {
    const outer = (price: number) => ({ tool: 'book', inside: [{ tool: 'quote', output: { price } }] });
    expect(differences(diffTraces(runOf([outer(1)]), runOf([outer(2)])))).toEqual([
      'changed tool quote 1→1: output.price',
    ]);
  });

  test('B237 labels states by key or "state", errors by type, the run "run", LLM calls by provider and model', () => {
    const deeds = [counter, { state: null, after: 1 }, ask, { ...ask, provider: null }, { tool: 'pay', failure: 'no' }];
    const { steps } = diffTraces(runOf(deeds), runOf(deeds));
    expect(steps.map(({ type, label }) => `${type} ${label}`)).toEqual([
      'state counter',
      'state state',
      'llm openai/gpt-5',
      'llm gpt-5',
      'tool pay',
      'error ToolTimeout',
      'run run',
    ]);
  });
});

describe('alignment', () => {
  const calls = Array.from({ length: 100 }, (_, n) => ({ tool: 'fetch', input: { n }, output: n }));

  test('B227 shows a call inserted at the front as one added step', () => {
    const result = diffTraces(runOf(calls), runOf([search, ...calls]));
    expect(result.counts).toEqual(counts({ unchanged: 101, added: 1 }));
    expect(differences(result)).toEqual(['added tool search -→0']);
  });

  test('B228 compares the ends of two runs with each other, last', () => {
    const result = diffTraces(runOf([], { output: 1 }), runOf([search, ask], { output: 2 }));
    expect(outline(result)).toEqual([
      'added tool search -→0',
      'added llm openai/gpt-5 -→1',
      'changed run run 0→2: output',
    ]);
  });

  test('B228 shows the end of a run as removed where the other never ended', () => {
    expect(outline(diffTraces(runOf([search]), runOf([search], { open: true })))).toEqual([
      'unchanged tool search 0→0',
      'removed run run 1→-',
    ]);
  });

  test('B229 lists no changes for a step that only one side has', () => {
    const result = diffTraces(runOf([search, counter]), runOf([ask, counter]));
    expect(outline(result)).toEqual([
      'removed tool search 0→-',
      'added llm openai/gpt-5 -→0',
      'unchanged state counter 1→1',
      'unchanged run run 2→2',
    ]);
    expect(result.steps.flatMap(({ changes }) => changes)).toEqual([]);
  });

  test("B230 shows another label given the same as a change of `label`, first, under the baseline's label", () => {
    const result = diffTraces(runOf([ask]), runOf([{ ...ask, model: 'gpt-6', output: { text: 'hey' } }]));
    expect(differences(result)).toEqual(['changed llm openai/gpt-5 0→0: label, output.text']);
    expect(result.steps[0]?.changes[0]).toEqual({
      path: 'label',
      kind: 'changed',
      before: 'openai/gpt-5',
      after: 'openai/gpt-6',
    });
  });

  const bundles = fileURLToPath(new URL('../../../../../shared/reference/bundles/', import.meta.url));
  const pair = existsSync(bundles)
    ? [[loadTrace(`${bundles}diff_baseline.sftrace`), loadTrace(`${bundles}diff_changed.sftrace`)] as const]
    : [];
  const flight = (price: number, selected_flight: string) =>
    runOf([{ tool: 'flight_search', input: { destination: 'Lisbon' }, output: { price, selected_flight } }], {
      output: { selected_flight },
    });
  test.each([[flight(320, 'B'), flight(450, 'A')] as const, ...pair])(
    'B238 finds two changed steps in the reference pair (%#)',
    (baseline, candidate) => {
      const result = diffTraces(baseline, candidate);
      const picked = { path: 'output.selected_flight', kind: 'changed', before: 'B', after: 'A' };
      expect(result).toEqual({
        equivalent: false,
        counts: counts({ changed: 2 }),
        steps: [
          {
            kind: 'changed',
            type: 'tool',
            label: 'flight_search',
            baseline: 0,
            candidate: 0,
            baselineStep: 1,
            candidateStep: 1,
            changes: [{ path: 'output.price', kind: 'changed', before: 320, after: 450 }, picked],
          },
          {
            kind: 'changed',
            type: 'run',
            label: 'run',
            baseline: 1,
            candidate: 1,
            baselineStep: 3,
            candidateStep: 3,
            changes: [picked],
          },
        ],
      });
    },
  );

  test('B239 finds the failed tool, its errors and the failed run, whose output is null on both sides', () => {
    const failed = runOf([{ ...search, failure: 'timed out' }], { status: 'failed' });
    const result = diffTraces(runOf([search]), failed);
    expect(outline(result)).toEqual([
      'changed tool search 0→0: output.error_type, output.hits, output.message, status',
      'added error ToolTimeout -→1',
      'changed run run 1→2: run_status',
    ]);
    expect(result.steps[0]?.changes.at(-1)).toEqual({ path: 'status', kind: 'changed', before: 'ok', after: 'error' });
  });
});

describe('values', () => {
  test('B231 visits keys in sorted order, lists by index, surplus items last', () => {
    const changes = compareValues({ b: [1, 2], a: 1, B: 1 }, { a: 2, B: 2, b: [0, 2, 3, 4], '😀': 1, '\uffff': 1 });
    expect(changes.map(({ path }) => path)).toEqual(['B', 'a', 'b[0]', 'b[2]', 'b[3]', '["\uffff"]', '["😀"]']);
  });

  test('B232 gives a key that one side does not have as added or removed, with null for that side', () => {
    expect(compareValues({ output: { a: [0, { b: 1 }], c: null } }, { output: { a: [0, {}], d: { e: 1 } } })).toEqual([
      { path: 'output.a[1].b', kind: 'removed', before: 1, after: null },
      { path: 'output.c', kind: 'removed', before: null, after: null },
      { path: 'output.d', kind: 'added', before: null, after: { e: 1 } },
    ]);
  });

  test.each<readonly [string, Json, Json]>([
    ['true and 1', true, 1],
    ['null and missing', { a: null }, {}],
    ['0 and false', 0, false],
    ['text and number', '1', 1],
    ['list and object', [], {}],
    ['0 and -0', 0, -0],
    ['integers that a number cannot tell apart', 9007199254740993n, 9007199254740992n],
    ['an integer and the text of its tag', 1n, { $stepfork: 'bigint', value: '1' }],
    ['undefined and null', { $stepfork: 'undefined' }, null],
  ])('B233 tells %s apart', (_what, a, b) => {
    expect(compareValues(a, b)).toHaveLength(1);
    expect(compareValues(b, a)).toHaveLength(1);
  });

  test('B233 finds 1 and 1.0 equal, and the order of keys without meaning', () => {
    expect(compareValues(parseJson('{"a":1,"b":[2.0]}'), parseJson('{"b":[2],"a":1.0}'))).toEqual([]);
    expect(compareValues(5n, 5)).toEqual([]);
  });

  test('B234 redacts before it compares: other secrets are equal, and none is in the result', () => {
    const login = (secret: string) => [
      { tool: 'note', input: { text: `saw ${secret} go by` }, output: null },
      { tool: 'login', input: { password: secret }, output: { api_key: secret } },
    ];
    const baseline = runOf(login('hunter2-first-secret'));
    const candidate = runOf(login('swordfish-other-secret'));
    expect(diffTraces(baseline, candidate).equivalent).toBe(true);

    const changed = diffTraces(baseline, runOf([...login('swordfish-other-secret'), search]));
    expect(changed.counts).toEqual(counts({ unchanged: 3, added: 1 }));

    // The candidate says aloud what only the baseline shows to be a secret.
    const leaking = diffTraces(baseline, runOf([{ tool: 'note', output: 'it was hunter2-first-secret' }]));
    expect(formatDiff(leaking) + JSON.stringify(leaking)).not.toContain('hunter2');
    expect(JSON.stringify(leaking)).toContain('it was [REDACTED]');
  });

  test('B235 finds the first leaf in sorted order; the root is `$`; a surplus item has null on the other side', () => {
    expect(firstDifference({ b: 1, a: { c: 1 } }, { b: 2, a: { c: 2 } })).toEqual({
      path: 'a.c',
      kind: 'changed',
      before: 1,
      after: 2,
    });
    expect(firstDifference('a', 'b')).toEqual({ path: '$', kind: 'changed', before: 'a', after: 'b' });
    expect(firstDifference([1], [1, 2])).toEqual({ path: '[1]', kind: 'added', before: null, after: 2 });
    expect(firstDifference([1, 2], [1])).toEqual({ path: '[1]', kind: 'removed', before: 2, after: null });
    expect(firstDifference({ a: [1] }, { a: [1] })).toBeNull();
  });
});
