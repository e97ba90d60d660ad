import { llmRequest, record, saveTrace, traceTool } from '@stepfork/recorder';
import { createRedactor, REDACTED } from '@stepfork/redact';
import { loadTrace } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { formatReport, replay } from '../../src/index.js';
import { asAgent, bundlePath, recordRun } from '../recording.js';
import { call, failedResult, failure, request, response, result, traceOf } from './traces.js';

let bodies = 0;
const search = traceTool('search', (input: Record<string, unknown>) => {
  bodies++;
  return `live ${JSON.stringify(input)}`;
});
const ask = (model: string, input: unknown, provider?: string) =>
  llmRequest({ provider, model, input, call: async () => 'live' });

const SEARCHED = traceOf(call('search', { city: 'Rome' }, { id: 'c' }), result('search', 'recorded', { under: 'c' }));

describe('a call', () => {
  it('B193 that matches is answered from the recording, and its body does not run', async () => {
    bodies = 0;
    const report = await replay(SEARCHED, () => search({ city: 'Rome' }));
    expect(report).toMatchObject({ verdict: 'matched', output: 'recorded' });
    expect(report.counts).toEqual({ recorded: 1, substituted: 1, executed: 0 });
    expect(bodies).toBe(0);
  });

  it('B194 is matched first, then asked for its policy, then for the soundness of what was recorded', async () => {
    const damaged = { ...call('search', { city: 'Rome' }, {}, 'forbidden'), input_hash: 'f'.repeat(64) };
    const codes = [{ city: 'Oslo' }, { city: 'Rome' }].map(
      async (input) => (await replay(traceOf(damaged), () => search(input))).divergence?.code,
    );
    expect(await Promise.all(codes)).toEqual(['input_changed', 'policy']);
  });

  it.each([
    ['another kind', () => ask('search', { city: 'Rome' }), "expected tool 'search' but the agent called LLM 'search'"],
    ['another tool', () => traceTool('find', () => 1)(), "expected tool 'search' but the agent called 'find'"],
  ])('B195 of %s does not match', async (_what, entrypoint, reason) => {
    const report = await replay(SEARCHED, entrypoint);
    expect(report.divergence).toMatchObject({ code: 'unexpected_call', message: `call #1: ${reason}` });
  });

  it.each([
    ['model', () => ask('large', 'hi', 'acme'), 'acme/large'],
    ['provider', () => ask('small', 'hi', 'other'), 'other/small'],
    ['provider, where none comes', () => ask('small', 'hi'), 'small'],
  ])('B195 of another %s does not match', async (_what, entrypoint, came) => {
    const trace = traceOf(request('acme', 'small', 'hi', { id: 'r' }), response('hello', { under: 'r' }));
    const report = await replay(trace, entrypoint);
    expect(report.divergence?.message).toBe(`call #1: expected LLM 'acme/small' but the agent called '${came}'`);
  });

  it('B196 is compared by canonical text: the order of keys is no difference', async () => {
    const trace = traceOf(
      call('search', { a: 1, b: [{ c: 2, d: 3 }] }, { id: 'c' }),
      result('search', 1, { under: 'c' }),
    );
    expect((await replay(trace, () => search({ b: [{ d: 3, c: 2 }], a: 1.0 }))).verdict).toBe('matched');
  });

  it('B196 with one more argument, a new default for example, does not match', async () => {
    const report = await replay(SEARCHED, () => search({ city: 'Rome', limit: 10 }));
    expect(report.divergence).toMatchObject({
      code: 'input_changed',
      message: "call #1: tool 'search' was called with another input: at 'limit' recorded nothing, got 10",
      differences: [{ path: 'limit', kind: 'added', recorded: null, actual: 10 }],
    });
  });

  it('B197 with another secret in a redacted place matches: secrets are not compared', async () => {
    const trace = traceOf(
      call('search', { api_key: REDACTED, city: 'Rome' }, { id: 'c' }),
      result('search', 'found', { under: 'c' }),
    );
    for (const secret of ['sk-one-0123456789', 'sk-two-9876543210']) {
      expect((await replay(trace, () => search({ api_key: secret, city: 'Rome' }))).verdict).toBe('matched');
    }
    expect((await replay(trace, () => search({ api_key: 'sk-one-0123456789', city: 'Oslo' }))).verdict).toBe(
      'diverged',
    );
  });

  it('B197 does so also where only the recorder had the rule, and the report says that it had', async () => {
    const file = traceTool('file', (input: { note: string; ssn: string }) => input.note);
    const output = bundlePath();
    await record('agent', { output, redact: { keys: ['ssn'] } }, () => file({ note: 'n', ssn: '078-05-1120' }));
    const entrypoint = asAgent(() => file({ note: 'n', ssn: '219-09-9999' }));
    const report = await replay(output, entrypoint);
    expect(report.verdict).toBe('matched');
    expect(report.notes).toEqual([
      'the run was recorded under other redaction rules; pass them as option redact so that inputs compare',
    ]);
    const informed = await replay(output, entrypoint, { redact: { keys: ['ssn'] } });
    expect(informed).toMatchObject({ verdict: 'matched', notes: [] });
  });

  it('B198 is answered with the redaction mark where the recording was redacted', async () => {
    const login = traceTool('login', async () => ({ user: 'ada', password: 'correct-horse-battery' }));
    const path = await recordRun(() => login().then(({ password }) => password.length));
    let seen: unknown;
    await replay(path, async () => {
      seen = await login();
    });
    expect(seen).toEqual({ user: 'ada', password: REDACTED });
    expect(createRedactor().redact(seen as never).findings).toEqual([]);
  });

  it('B199 beyond the recorded ones diverges, and the report gives the fingerprint of its redacted input', async () => {
    const report = await replay(SEARCHED, () => {
      search({ city: 'Rome' });
      search({ city: 'Rome', password: 'hunter2-hunter2' });
    });
    expect(report.divergence?.message).toBe(
      "call #2: tool 'search' was called, but the recording holds no further call",
    );
    const { actual } = report.divergence ?? {};
    expect(actual?.inputPreview).toBe('{"city":"Rome","password":"[REDACTED]"}');
    expect(formatReport(report)).toContain(`[${actual?.fingerprint.slice(0, 12)}…]`);
    expect(formatReport(report, { verbose: true })).toContain(`[${actual?.fingerprint}]`);
  });

  it('B200 that never came is named when the run is over, five at most', async () => {
    const trace = traceOf(...Array.from({ length: 7 }, (_, n) => call('search', { n })));
    const report = await replay(trace, () => null);
    expect(report.divergence).toMatchObject({
      code: 'missing_call',
      position: 1,
      message:
        "recorded call #1 tool 'search' never came, nor did #2 tool 'search', #3 tool 'search', #4 tool 'search', " +
        "#5 tool 'search' and 2 more",
    });
  });

  it('B201 that does not match takes nothing', async () => {
    const report = await replay(SEARCHED, () => search({ city: 'Oslo' }));
    expect(report.counts).toEqual({ recorded: 1, substituted: 0, executed: 0 });
    expect(report.divergence?.recorded).toMatchObject({ name: 'search', index: 0 });
    expect(report.calls).toMatchObject([{ action: 'refused', status: 'error', index: null }]);
  });
});

describe('a recorded failure', () => {
  it('B202 is thrown again with its name and message, and is no divergence', async () => {
    const trace = traceOf(
      call('search', {}, { id: 'c' }),
      failedResult('search', null, { id: 'r', under: 'c' }),
      failure('ToolTimeout', 'too slow', { under: 'r' }),
    );
    let caught: unknown;
    const report = await replay(trace, () => {
      try {
        search({});
      } catch (error) {
        caught = error;
      }
    });
    expect(String(caught)).toBe('ToolTimeout: too slow');
    expect(report.verdict).toBe('matched');
    expect(report.calls).toMatchObject([{ action: 'substituted', status: 'error' }]);
  });

  it('B203 without type and message is a DependencyError', async () => {
    const trace = traceOf(call('search', {}, { id: 'c' }), failedResult('search', null, { under: 'c' }));
    const report = await replay(trace, () => search({}));
    expect(report.error).toEqual({ name: 'DependencyError', message: 'recorded dependency failure' });
  });
});

describe('what was recorded', () => {
  it('B204 without a result cannot answer a function that answers at once', async () => {
    const report = await replay(traceOf(call('search', {})), () => search({}));
    expect(report.divergence).toMatchObject({
      code: 'unservable',
      message:
        "call #1: tool 'search' has no recorded outcome, and a function that answers at once cannot be left waiting",
    });
  });

  it('B204 without a result leaves a promise pending, which is no divergence', async () => {
    const slow = traceTool('slow', async () => 1);
    const report = await replay(traceOf(call('slow', {})), () => Promise.race([slow(), Promise.resolve('other')]));
    expect(report).toMatchObject({ verdict: 'matched', output: 'other' });
  });

  it.each([
    ['input_hash', 0],
    ['output_hash', 1],
  ])('B205 with an %s that is not that of its payload is refused, with advice', async (field, index) => {
    const path = bundlePath();
    saveTrace(traceOf(call('search', {}, { id: 'c' }), result('search', 1, { id: 'r', under: 'c' })), path);
    const sound = loadTrace(path);
    expect((await replay(sound, () => search({}))).verdict).toBe('matched');
    const events = sound.events.map((event) =>
      event.id === ['c', 'r'][index] ? { ...event, [field]: '0'.repeat(64) } : event,
    );
    const report = await replay({ ...sound, events }, () => search({}));
    expect(report.divergence?.code).toBe('unservable');
    expect(report.divergence?.message).toContain(
      `the stored ${field} of event ${['c', 'r'][index]} is not that of its`,
    );
    expect(report.divergence?.message).toContain('run stepfork validate --verify-integrity on the bundle');
  });

  it('B206 without stored hashes matches by its full input', async () => {
    const hashes = SEARCHED.events.flatMap(({ input_hash, output_hash }) => [input_hash, output_hash]);
    expect(hashes.every((hash) => hash === null)).toBe(true);
    expect((await replay(SEARCHED, () => search({ city: 'Rome' }))).verdict).toBe('matched');
  });

  it('B207 as null, input and output, is answered like anything else, also from a saved bundle with hashes', async () => {
    const nothing = traceTool({ name: 'nothing', input: () => null }, async () => null);
    const agent = async (): Promise<unknown> => [await nothing(), await nothing()];
    const report = await replay(await recordRun(agent), asAgent(agent));
    expect(report).toMatchObject({ verdict: 'matched', output: [null, null], counts: { substituted: 2 } });
  });

  it.each(['forbidden', 'manual'] as const)(
    'B208 under the policy %s is refused once its input matched',
    async (policy) => {
      const trace = traceOf(call('search', {}, { id: 'c' }, policy), result('search', 1, { under: 'c' }));
      const report = await replay(trace, () => search({}));
      expect(report.divergence).toMatchObject({
        code: 'policy',
        message: `call #1: tool 'search' has the replay policy '${policy}', so the recording does not answer it`,
      });
      expect((await replay(trace, () => search({ other: 1 }))).divergence?.code).toBe('input_changed');
    },
  );

  it('B208 is refused, too, where the live function forbids it', async () => {
    const charge = traceTool({ name: 'charge', replayPolicy: 'forbidden' }, () => 1);
    const trace = traceOf(call('charge', {}, { id: 'c' }), result('charge', 1, { under: 'c' }));
    const { divergence } = await replay(trace, () => charge());
    expect(divergence?.message).toBe(
      "call #1: tool 'charge' has the replay policy 'forbidden', so the recording does not answer it",
    );
  });

  it.each(['live', 'derived'] as const)('B208 under the policy %s is answered all the same', async (policy) => {
    const trace = traceOf(call('search', {}, { id: 'c' }, policy), result('search', 1, { under: 'c' }));
    expect((await replay(trace, () => search({}))).verdict).toBe('matched');
  });
});
