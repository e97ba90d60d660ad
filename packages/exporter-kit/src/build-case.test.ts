import { join, resolve } from 'node:path';
import type { Json, Trace } from '@stepfork/trace-format';
import {
  addEvent,
  createTrace,
  errorEvent,
  llmRequestEvent,
  runEndEvent,
  runStartEvent,
  toolCallEvent,
} from '@stepfork/trace-format';
import { describe, expect, test } from 'vitest';
import { type BuildCaseInput, buildCase } from './build-case.js';

const OUTPUT = { order_id: 'ORD-1001', should_notify: false };

function trace(output: Json = OUTPUT, durationMs: number | null = 12): Trace {
  const made = createTrace({ agentName: 'notify-agent', status: 'completed', createdAt: '2026-03-04T05:06:07Z' });
  addEvent(made, runStartEvent({ input: 'ORD-1001' }));
  addEvent(made, llmRequestEvent({ provider: 'fake', model: 'gpt', input: 'hi' }));
  addEvent(made, toolCallEvent({ name: 'order_status', input: {} }));
  addEvent(made, runEndEvent({ run_status: 'completed', output }));
  return { ...made, totals: { ...made.totals, duration_ms: durationMs } };
}

function failedTrace(): Trace {
  const failure = { type: 'TimeoutError', message: 'Bearer abcdefghijk was late', step: 1 };
  const made = createTrace({ agentName: 'notify-agent', status: 'failed', failure });
  addEvent(made, runStartEvent({ input: null }));
  addEvent(made, errorEvent({ error_type: failure.type, message: failure.message }));
  addEvent(made, runEndEvent({ run_status: 'failed' }));
  return made;
}

const INPUT: BuildCaseInput = {
  trace: trace(),
  tracePath: 'traces/failure.sftrace',
  entrypointFile: 'src/agent.ts',
  exportName: 'notifyAgent',
  testFile: 'tests/unit/notify.test.ts',
  target: { module: 'esm', typescript: true, globals: false, importSuffix: 'js' },
};
const built = (changes: Partial<BuildCaseInput> = {}) => buildCase({ ...INPUT, ...changes });

describe('buildCase', () => {
  test('works out everything that a test of this failure is made of', () => {
    const expected = { order_id: 'ORD-1001', should_notify: true };
    expect(built({ expected })).toEqual({
      title: 'notify-agent regression',
      agentName: 'notify-agent',
      runId: INPUT.trace.run_id,
      createdAt: '2026-03-04T05:06:07Z',
      problem: "behavior mismatch at 'should_notify': expected true, got false",
      fileName: 'notify.test.ts',
      target: { module: 'esm', typescript: true, globals: false },
      entrypoint: { specifier: '../../src/agent.js', exportName: 'notifyAgent', file: '../../src/agent.ts' },
      trace: { path: '../../traces/failure.sftrace' },
      expected,
      recordedOutput: OUTPUT,
      recordedEnd: 'returned',
      recordedFailure: null,
      recordedCalls: [
        { kind: 'llm', name: 'gpt' },
        { kind: 'tool', name: 'order_status' },
      ],
      timeoutMs: 30_000,
    });
  });

  test('gives a runner no title that drives a terminal', () => {
    const hostile = { ...trace(), agent_name: '\u001b]0;owned\u0007 agent\u202e' };
    expect(built({ trace: hostile }).title).toBe('\\u001b]0;owned\\u0007 agent\\u202e behaves as recorded');
    expect(built({ title: '\u001b[2J refunds' }).title).toBe('\\u001b[2J refunds');
  });

  test('the same from absolute paths', () => {
    const absolute = {
      tracePath: resolve(INPUT.tracePath),
      entrypointFile: resolve(INPUT.entrypointFile),
      testFile: resolve(INPUT.testFile),
    };
    expect(built(absolute)).toEqual(built());
  });

  test('B257 paths stay relative beyond three folders upward', () => {
    const { trace: reference } = built({ testFile: join('a', 'b', 'c', 'd', 'e', 'x.test.ts') });
    expect(reference.path).toBe('../../../../../traces/failure.sftrace');
  });

  test('B250 the expectation and the recorded output are redacted', () => {
    const secret = { password: 'hunter2' };
    const regression = built({ trace: trace(secret), expected: secret });
    expect(regression.expected).toEqual({ password: '[REDACTED]' });
    expect(built({ input: secret }).input).toEqual({ password: '[REDACTED]' });
    expect('input' in regression).toBe(false);
    expect(JSON.stringify(regression)).not.toContain('hunter2');
  });

  test('without an expectation there is none, and the title says that the test pins', () => {
    const regression = built();
    expect('expected' in regression).toBe(false);
    expect(regression.title).toBe('notify-agent behaves as recorded');
    expect(regression.problem).toContain('not stated');
  });

  test('an expectation of null is an expectation', () => {
    expect(built({ expected: null }).expected).toBeNull();
  });

  test('a failed run is told by its failure, redacted', () => {
    const regression = built({ trace: failedTrace(), expected: 'fine' });
    expect(regression.problem).toBe('the run failed with TimeoutError: Bearer [REDACTED] was late');
    expect(regression).toMatchObject({
      recordedEnd: 'failed',
      recordedFailure: { type: 'TimeoutError' },
      recordedOutput: null,
    });
  });

  test('a run whose end was not recorded is told as that', () => {
    const open = createTrace({ agentName: 'a' });
    addEvent(open, runStartEvent({ input: null }));
    expect(built({ trace: open })).toMatchObject({ recordedEnd: 'unknown', recordedOutput: null });
  });

  test('a recording that was right is called that', () => {
    expect(built({ expected: OUTPUT }).problem).toBe('nothing: the recorded output is the expected one');
  });

  test.each([
    [null, 30_000],
    [14_999, 30_000],
    [15_001, 31_000],
    [86_400_000, 600_000],
  ])('a run of %s ms gives a timeout of %i ms', (durationMs, timeoutMs) => {
    expect(built({ trace: trace(OUTPUT, durationMs) }).timeoutMs).toBe(timeoutMs);
  });

  test('a title of the user is taken, on one line of at most 200 characters', () => {
    expect(built({ title: ' books\nthe  right flight ' }).title).toBe('books the right flight');
    expect(built({ title: '🦊'.repeat(500) }).title).toBe('🦊'.repeat(200));
    expect(built({ title: ' ' }).title).toBe('notify-agent behaves as recorded');
  });

  test('a part of the output, an error and steps are expectations as well, redacted', () => {
    const match = { should_notify: true, password: 'hunter2' };
    const output = { ...OUTPUT, password: 'hunter3' };
    expect(built({ match, trace: trace(output) })).toMatchObject({
      title: 'notify-agent regression',
      problem: "behavior mismatch at 'should_notify': expected true, got false",
      match: { should_notify: true, password: '[REDACTED]' },
    });
    expect(built({ match: { order_id: 'ORD-1001' } }).problem).toMatch(/^nothing/);
    expect(built({ error: { type: 'RefundError', message: 'Bearer abcdefghijk' } })).toMatchObject({
      problem: 'the run should have thrown RefundError, but returned {"order_id":"ORD-1001","should_notify":false}',
      error: { type: 'RefundError', message: 'Bearer [REDACTED]' },
    });
    const trajectory = {
      counts: { password_reset: 0 },
      arguments: [{ name: 'login', value: { password: 'hunter2' } }],
    };
    expect(built({ trajectory })).toMatchObject({
      title: 'notify-agent regression',
      problem: 'not stated: the expectation is about the calls alone',
      trajectory: { counts: { password_reset: 0 }, arguments: [{ name: 'login', value: { password: '[REDACTED]' } }] },
    });
    expect(built({ same: true })).toMatchObject({ title: 'notify-agent behaves as recorded', same: true });
  });

  test('an expectation of null is held against the output, too', () => {
    expect(built({ expected: null }).problem).toMatch(/^behavior mismatch at '\$': expected null/);
  });

  test('a trajectory that is none is refused by its place', () => {
    expect(() => built({ trajectory: { max_step: 1 } })).toThrow(expect.objectContaining({ code: 'bad_expectation' }));
    expect(() => built({ trajectory: [] })).toThrow(/must be an object, not a list/);
  });

  test('the digest of the recording is passed on', () => {
    expect(built({ traceDigest: 'sha256-x' }).trace.digest).toBe('sha256-x');
  });
});
