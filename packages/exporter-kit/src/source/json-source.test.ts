import { deepStrictEqual } from 'node:assert/strict';
import { isJsonArray, isJsonObject, type Json, parseJson, setKey } from '@stepfork/trace-format';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyJson, runs } from '../../test/json-arbitrary.js';
import { jsonSource } from './json-source.js';

/** JSON has one kind of whole number: only those that a JavaScript number would lose are read as bigint. */
function asRead(value: Json): Json {
  if (typeof value === 'bigint') return parseJson(String(value));
  if (isJsonArray(value)) return value.map(asRead);
  if (!isJsonObject(value)) return value;
  const read: { [key: string]: Json } = {};
  for (const [key, item] of Object.entries(value)) setKey(read, key, asRead(item));
  return read;
}

describe('jsonSource', () => {
  test('is read back as exactly the value, and shows no hidden character', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = jsonSource(value);
        deepStrictEqual(parseJson(text), asRead(value));
        expect(text).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('has a line for each property, and short lists on one', () => {
    const value = { id: 1, tags: ['a', 'b'], nested: { big: 12345678901234567890n, zero: -0 }, none: [], empty: {} };
    expect(jsonSource(value)).toBe(`{
  "id": 1,
  "tags": ["a", "b"],
  "nested": {
    "big": 12345678901234567890,
    "zero": -0.0
  },
  "none": [],
  "empty": {}
}
`);
  });

  test('refuses what is not JSON, naming the path', () => {
    const notJson = { a: [Number.NaN] };
    expect(() => jsonSource(notJson)).toThrow(
      expect.objectContaining({ code: 'not_a_literal', details: { path: '$.a[0]' } }),
    );
  });
});
