import { describe, expect, test } from 'vitest';
import { diverged, reportOf, returned } from '../../test/report.js';
import { checkThrown } from './check-thrown.js';

const report = reportOf({
  verdict: 'reproduced-failure',
  error: { name: 'RefundError', message: 'order 7 is too old' },
});

describe('checkThrown', () => {
  test.each([
    ['RefundError', undefined],
    ['RefundError', 'order 7 is too old'],
    ['RefundError', 'too old'],
    ['RefundError', /order \d+/g],
    ['RefundError', ''],
  ])('passes for %s with %o', (type, message) => {
    expect(checkThrown(report, type, message)).toEqual({
      pass: true,
      message: 'expected the agent not to throw RefundError: order 7 is too old',
    });
  });

  test.each([
    ['Error', undefined, 'expected the agent to throw Error'],
    ['refunderror', undefined, 'expected the agent to throw refunderror'],
    ['RefundError', 'too young', 'expected the agent to throw RefundError with "too young" in its message'],
    ['RefundError', /^too/, 'expected the agent to throw RefundError with a message like /^too/'],
  ])('fails for %s with %o, naming both', (type, message, wanted) => {
    expect(checkThrown(report, type, message)).toEqual({
      pass: false,
      message: `${wanted}, but it threw RefundError: order 7 is too old`,
    });
  });

  test('fails for an agent that returned, showing what', () => {
    expect(checkThrown(returned({ ok: true }), 'RefundError').message).toBe(
      'expected the agent to throw RefundError, but it returned {"ok":true}',
    );
  });

  test('B247 is not judged when the calls diverged, whatever was thrown', () => {
    expect(checkThrown(diverged([]), 'StepforkError')).toEqual({
      pass: false,
      message: "error not judged, the calls diverged: call #1: tool 'lookup' was called with another input",
      judged: false,
    });
  });

  test('a secret of the expectation is redacted as the run’s is', () => {
    const redacted = reportOf({ error: { name: 'Error', message: 'Bearer [REDACTED] was refused' } });
    expect(checkThrown(redacted, 'Error', 'Bearer abcdefghijk was refused').pass).toBe(true);
  });

  test('a message drives no terminal', () => {
    const hostile = reportOf({ error: { name: 'E\u001b[2J', message: '\u202e' } });
    expect(checkThrown(hostile, '\u0007').message).not.toMatch(/[\p{Cc}\u202e]/u);
  });
});
