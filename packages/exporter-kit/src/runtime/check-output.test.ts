import { encodeValue } from '@stepfork/trace-format';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyJson, runs } from '../../test/json-arbitrary.js';
import { diverged, reportOf, returned } from '../../test/report.js';
import { checkMatch, checkOutput } from './check-output.js';

const message = (expected: unknown, output: unknown) => {
  const { pass, message: text } = checkOutput(returned(encodeValue(output).json), expected);
  return pass ? 'passed' : text;
};

describe('checkOutput', () => {
  test.each([
    [{ should_notify: true }, { should_notify: false }, "'should_notify': expected true, got false"],
    [{ a: { b: [1] } }, { a: { b: [2] } }, "'a.b[0]': expected 1, got 2"],
    [true, 'true', `'$': expected true, got "true"`],
    [{ a: 1 }, {}, "'a': expected 1, got nothing"],
    [{}, { a: null }, "'a': expected nothing, got null"],
    [[1], [1, 2], "'[1]': expected nothing, got 2"],
    [{ 'odd key': 1 }, { 'odd key': 2 }, `'["odd key"]': expected 1, got 2`],
    [null, undefined, "'$': expected null, got undefined"],
    [[undefined], [null], "'[0]': expected undefined, got null"],
    [new Date(0), new Date(1), "'value': expected"],
    [1, 1n, "'$': expected 1, got"],
  ])('B249 %o against %o is a mismatch at its first path', (expected, output, text) => {
    expect(message(expected, output)).toContain(`behavior mismatch at ${text}`);
  });

  test('B249 the values that differ go to the framework for its diff', () => {
    const check = checkOutput(returned({ a: 1, b: 2 }), { a: 1, b: 3 });
    expect(check.values).toEqual({ expected: { a: 1, b: 3 }, actual: { a: 1, b: 2 } });
    expect(checkOutput(returned({ a: 1 }), { a: 1 })).toEqual({ pass: true, message: expect.any(String) });
  });

  test.each([
    [
      { b: 1, a: 2 },
      { a: 2, b: 1 },
    ],
    [{ a: 1, b: undefined }, { a: 1 }],
    [{ a: 1 }, { a: 1, b: undefined }],
    [undefined, undefined],
    [{ at: new Date(0) }, { at: new Date(0) }],
    [{ at: { $stepfork: 'date', value: '1970-01-01T00:00:00.000Z' } }, { at: new Date(0) }],
    [new Map([['a', 1]]), new Map([['a', 1]])],
    [9007199254740993n, 9007199254740993n],
    [{ $$stepfork: 1 }, { $stepfork: 1 }],
    [Number.NaN, Number.NaN],
  ])('%o is the same output as %o', (expected, output) => {
    expect(message(expected, output)).toBe('passed');
  });

  test('any output equals the literal that export makes of it', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const { json } = encodeValue(value);
        expect(checkOutput(returned(json), json)).toMatchObject({ pass: true });
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('B250 both sides are redacted alike, so an expectation with a secret can match', () => {
    const secret = { password: 'hunter2', note: 'Bearer abcdefghij' };
    expect(message(secret, secret)).toBe('passed');
    const check = checkOutput(returned({ password: '[REDACTED]', ok: false }), { password: 'hunter2', ok: true });
    expect(check.pass).toBe(false);
    expect(JSON.stringify(check)).not.toContain('hunter2');
  });

  test('B250 a secret of one side is not looked for in the other alone', () => {
    const output = { note: 'the word is hunter2hunter2', password: 'hunter2hunter2' };
    expect(message(output, output)).toBe('passed');
  });

  test('B247 when the calls diverged the output is not judged, not even one that would do', () => {
    const report = { ...diverged([]), output: true, error: null };
    expect(checkOutput(report, true)).toEqual({
      pass: false,
      message: "output not judged, the calls diverged: call #1: tool 'lookup' was called with another input",
      judged: false,
    });
  });

  test('B248 when the agent threw, the message names its error', () => {
    const report = reportOf({ verdict: 'output-changed', error: { name: 'RefundError', message: 'denied\u001b[2J' } });
    expect(checkOutput(report, null)).toEqual({
      pass: false,
      message: 'the agent threw RefundError: denied\\u001b[2J',
      judged: false,
    });
  });

  test('an expectation that cannot be compared is not judged', () => {
    expect(message({ a: [() => 1] }, { a: [1] })).toBe(
      "output not judged, the expectation's /a/0 cannot be compared (function)",
    );
    let deep: unknown = 1;
    for (let level = 0; level < 200; level += 1) deep = [deep];
    expect(message(deep, deep)).toMatch(/^output not judged, the expectation's .* cannot be compared/);
  });

  test('a long value is cut in the message', () => {
    expect(message('x'.repeat(10_000), 'y').length).toBeLessThan(300);
  });

  test('what is no report is refused', () => {
    expect(() => checkOutput({}, 1)).toThrow(expect.objectContaining({ code: 'not_a_report' }));
  });
});

describe('checkMatch', () => {
  const matching = (expected: unknown, output: unknown) => {
    const { pass, message: text } = checkMatch(returned(encodeValue(output).json), expected);
    return pass ? 'passed' : text;
  };

  test.each([
    [{}, { a: 1 }],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }],
    [{ list: [{ id: 1 }, {}] }, { list: [{ id: 1, x: 2 }, { id: 2 }] }],
    [{ gone: undefined }, { a: 1 }],
    [{ at: new Date(0) }, { at: new Date(0), by: 'me' }],
    [{ ['__proto__']: 1 }, JSON.parse('{"__proto__":1,"a":2}') as object],
    ['text', 'text'],
  ])('%o is a part of %o', (expected, output) => {
    expect(matching(expected, output)).toBe('passed');
  });

  test.each([
    [{ a: 1 }, { a: 2 }, "'a': expected 1, got 2"],
    [{ a: 1 }, {}, "'a': expected 1, got nothing"],
    [{ a: {} }, { a: [] }, "'a': expected {}, got []"],
    [{ a: [1] }, { a: [1, 2] }, "'a[1]': expected nothing, got 2"],
    [{ a: [1, 2] }, { a: [1] }, "'a[1]': expected 2, got nothing"],
    [{ a: undefined }, { a: 1 }, "'a': expected nothing, got 1"],
    [{ toString: 1 }, {}, "'toString': expected 1, got nothing"],
    [{ at: new Date(0) }, { at: new Date(1) }, "'at.value': expected"],
    [{ at: {} }, { at: new Date(0) }, `'at': expected {}, got {"$stepfork":"date"`],
    [{}, null, "'$': expected {}, got null"],
  ])('%o is no part of %o', (expected, output, text) => {
    expect(matching(expected, output)).toContain(`behavior mismatch at ${text}`);
  });

  test('any output has itself and nothing in it', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const { json } = encodeValue(value);
        expect(checkMatch(returned(json), json)).toMatchObject({ pass: true });
      }),
      { numRuns: runs(500) },
    );
  });

  test('shows the framework what was compared, and no more', () => {
    expect(checkMatch(returned({ a: 1, b: 2 }), { a: 3 }).values).toEqual({ expected: { a: 3 }, actual: { a: 1 } });
  });

  test('B247 is not judged when the calls diverged', () => {
    expect(checkMatch(diverged([]), {})).toMatchObject({ pass: false, judged: false });
  });
});
