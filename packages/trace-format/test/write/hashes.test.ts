import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  addEvent,
  createTrace,
  errorEvent,
  hashJson,
  type Json,
  llmRequestEvent,
  llmResponseEvent,
  loadTrace,
  runEndEvent,
  runStartEvent,
  sha256,
  stateChangeEvent,
  type TraceEvent,
  toolCallEvent,
  toolResultEvent,
  validateBundle,
} from '../../src/index.js';
import { temporaryFolder, writeFiles } from '../support/bundle-files.js';
import { linesOf, textOf, writeTrace } from '../support/sealed.js';

const P: Json = { b: [1, 2.5], a: 'é' };

/** Hashes of an event as they stand on disk. */
function hashes(event: TraceEvent): { input: unknown; output: unknown } {
  const trace = createTrace({ agentName: 'a' });
  addEvent(trace, event);
  const [line] = linesOf(writeTrace(trace, join(temporaryFolder(), 'x.sftrace')));
  return { input: line?.input_hash, output: line?.output_hash };
}

describe('payload hashes on disk', () => {
  const h = hashJson(P);
  const none = hashJson(null);

  it.each<[string, TraceEvent, { input: unknown; output: unknown }]>([
    ['B023 run_start: of its input', runStartEvent({ input: P }), { input: h, output: null }],
    ['B024 llm_request: of its input', llmRequestEvent({ model: 'm', input: P }), { input: h, output: null }],
    ['B024 tool_call: of its input', toolCallEvent({ name: 't', input: P }), { input: h, output: null }],
    ['B025 llm_response: of its output', llmResponseEvent({ output: P }), { input: null, output: h }],
    ['B025 tool_result: of its output', toolResultEvent({ name: 't', output: P }), { input: null, output: h }],
    [
      'B026 state_change: of before and after',
      stateChangeEvent({ before: P, after: 1 }),
      { input: h, output: hashJson(1) },
    ],
    [
      'B027 error: of its details alone',
      errorEvent({ error_type: 'E', message: 'm', details: P }),
      { input: null, output: h },
    ],
    ['B028 run_end: of its output', runEndEvent({ run_status: 'completed', output: P }), { input: null, output: h }],
    ['B029 run_start without input: of null', runStartEvent(), { input: none, output: null }],
    [
      'B029 error without details: of null',
      errorEvent({ error_type: 'E', message: 'm' }),
      { input: null, output: none },
    ],
    ['B029 state_change without either: of null', stateChangeEvent(), { input: none, output: none }],
  ])('%s', (_title, event, expected) => {
    expect(hashes(event)).toEqual(expected);
  });

  it('B029 writes every optional payload that was not set as null', () => {
    const trace = createTrace({ agentName: 'a' });
    addEvent(trace, runStartEvent());
    const path = writeTrace(trace, join(temporaryFolder(), 'x.sftrace'));
    expect(textOf(path, 'events.jsonl')).toMatch(/,"input":null\}\n$/);
  });

  it('B034 throws away hashes that the caller supplied', () => {
    const event = toolCallEvent({ name: 't', input: P, input_hash: 'made up', output_hash: 'too' });
    expect(hashes(event)).toEqual({ input: h, output: null });
  });

  it('are those of the bytes that stand in the line', () => {
    const trace = createTrace({ agentName: 'a' });
    addEvent(trace, toolCallEvent({ name: 't', input: P }));
    const text = textOf(writeTrace(trace, join(temporaryFolder(), 'x.sftrace')), 'events.jsonl');
    const payload = /,"input":(.*)\}\n$/.exec(text)?.[1] as string;
    expect(payload).toBe('{"a":"é","b":[1,2.5]}');
    expect(sha256(payload)).toBe(h);
  });

  it('survive load and save of floats, big integers and null keys as another language wrote them', () => {
    const payload = '{"10":1.0,"9":[100.0,1e16,-0.0,9007199254740993],"a":1e-7}';
    const canonical = '{"10":1.0,"9":[100.0,1e+16,-0.0,9007199254740993],"a":1e-07}';
    const events = [
      `{"id":"a","run_id":"run_1","type":"tool_call","name":"t","input":${payload},"input_hash":"${sha256(canonical)}"}`,
      `{"id":"b","run_id":"run_1","type":"tool_result","name":"t","output":2.0,"output_hash":"${sha256('2.0')}"}`,
    ];
    const trace = loadTrace(writeFiles({ events }));
    const path = writeTrace(trace, join(temporaryFolder(), 'again.sftrace'));
    expect(linesOf(path).map((line) => line.input_hash ?? line.output_hash)).toEqual([
      sha256(canonical),
      sha256('2.0'),
    ]);
    expect(textOf(path, 'events.jsonl')).toContain(`"input":${canonical}}`);
    expect(validateBundle(path, { strict: false, verifyIntegrity: true })).toMatchObject({ valid: true });
  });
});
