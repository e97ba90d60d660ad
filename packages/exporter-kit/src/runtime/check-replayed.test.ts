import { describe, expect, test } from 'vitest';
import { diverged, reportOf } from '../../test/report.js';
import { checkReplayed } from './check-replayed.js';

describe('checkReplayed', () => {
  test('passes when the calls matched, whatever the run came to', () => {
    expect(checkReplayed(reportOf()).pass).toBe(true);
    expect(checkReplayed(reportOf({ verdict: 'output-changed' })).pass).toBe(true);
    expect(checkReplayed(reportOf({ verdict: 'reproduced-failure' })).pass).toBe(true);
  });

  test('B247 a divergence fails naming the call, the differing paths and the call site', () => {
    const report = diverged([
      { path: 'window', kind: 'changed', recorded: 60, actual: 120 },
      { path: 'zone', kind: 'added', recorded: null, actual: 'UTC' },
      { path: 'limit', kind: 'removed', recorded: -0, actual: null },
    ]);
    expect(checkReplayed(report)).toEqual({
      pass: false,
      message: `call #1: tool 'lookup' was called with another input

  window: recorded 60, got 120
  zone: recorded nothing, got "UTC"
  limit: recorded -0, got nothing

  called at agent.ts:12:9`,
    });
  });

  test('a single difference is told by the first line alone', () => {
    const report = diverged([{ path: 'window', kind: 'changed', recorded: 60, actual: 120 }]);
    expect(checkReplayed(report).message).toBe(
      "call #1: tool 'lookup' was called with another input\n\n  called at agent.ts:12:9",
    );
  });

  test('B247 a call that never came fails as well, having no call site', () => {
    const report = diverged([], { code: 'missing_call', callSite: null, message: "tool 'lookup' was never called" });
    expect(checkReplayed(report)).toEqual({ pass: false, message: "tool 'lookup' was never called" });
  });

  test('a run that stalled fails, saying what it waits for', () => {
    const report = reportOf({
      verdict: 'diverged',
      facets: { execution: 'stalled', dependencies: 'matched', output: 'not-recorded' },
      notes: ['nothing moved for 10 s'],
    });
    expect(checkReplayed(report).message).toBe('the run did not come to an end: nothing moved for 10 s');
  });

  test.each([
    "the run did not end: it waits for tool 'slow' (call #1), whose outcome is held",
    "the recording is partial, and the run went as far as it does: it waits for tool 'slow' (call #1)",
  ])('a run that stalled is told of once: %s', (note) => {
    const report = reportOf({
      verdict: 'diverged',
      facets: { execution: 'stalled', dependencies: 'matched', output: 'not-recorded' },
      notes: ['the recording holds no calls', note],
    });
    expect(checkReplayed(report).message).toBe(`${note}; the recording holds no calls`);
  });

  test('many differences are counted, not listed', () => {
    const many = Array.from({ length: 25 }, (_, index) => ({
      path: `a[${index}]`,
      kind: 'changed' as const,
      recorded: 1,
      actual: 2,
    }));
    const { message } = checkReplayed(diverged(many));
    expect(message).toContain('a[9]: recorded 1, got 2\n  and 15 more differences');
    expect(message).not.toContain('a[10]');
  });

  test('a message carries no control character of the recording', () => {
    const differences = [{ path: 'a\u001b[2J', kind: 'changed' as const, recorded: '\u202e', actual: '\u0007' }];
    const { message } = checkReplayed(diverged(differences, { message: 'evil\u001b[2J', callSite: 'a\nb' }));
    expect(message).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  });

  test.each([undefined, null, 42, {}, { verdict: 'matched' }, Promise.resolve(reportOf())])(
    'what is no report is refused (%#)',
    (value) => {
      expect(() => checkReplayed(value)).toThrow(expect.objectContaining({ code: 'not_a_report' }));
    },
  );
});
