import { isJsonArray, isJsonObject, type Json, parseJson } from '@stepfork/trace-format';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fingerprint } from './fingerprint.js';
import { isSameValue } from './same-value.js';

const value = fc.jsonValue({ maxDepth: 4 }).map((one) => parseJson(JSON.stringify(one)));

describe('a fingerprint', () => {
  test('is shared by values that are the same', () => {
    fc.assert(
      fc.property(value, (one) => {
        const reversed = withReversedKeys(one);
        expect(isSameValue(one, reversed)).toBe(true);
        expect(fingerprint(reversed)).toBe(fingerprint(one));
      }),
    );
    expect(fingerprint(2n)).toBe(fingerprint(2));
    expect(fingerprint(2n ** 60n)).toBe(fingerprint(2 ** 60));
  });

  test.each([
    ['numbers', 1, 2],
    ['fractions', 0.1, 0.2],
    ['kinds of value', '1', 1],
    ['an empty list and an empty object', [], {}],
    ['the order of a list', [1, 2], [2, 1]],
    ['which key has which value', { a: 1, b: 2 }, { a: 2, b: 1 }],
    ['the end of a long text', `${'x'.repeat(5000)}a`, `${'x'.repeat(5000)}b`],
    ['the length of a long text', 'x'.repeat(5000), 'x'.repeat(5001)],
  ])('tells %s apart', (_what, one, other) => {
    expect(fingerprint(one)).not.toBe(fingerprint(other));
  });

  test('is made of a value nested deeper than any stack', () => {
    expect(fingerprint(parseJson('['.repeat(900) + ']'.repeat(900)))).toEqual(expect.any(Number));
  });
});

/** The same value, its keys in another order. */
function withReversedKeys(one: Json): Json {
  if (isJsonArray(one)) return one.map(withReversedKeys);
  if (!isJsonObject(one)) return one;
  const entries = Object.entries(one).reverse();
  return Object.fromEntries(entries.map(([key, child]) => [key, withReversedKeys(child)]));
}
