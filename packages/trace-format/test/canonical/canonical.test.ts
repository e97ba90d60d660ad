import { describe, expect, it } from 'vitest';
import { canonicalJson, canonicalJsonText, hashJson, isStepforkError, type Json, parseJson } from '../../src/write.js';

/** The error's code and path. */
function refusal(action: () => unknown): { code: string; path: unknown } {
  try {
    action();
  } catch (error) {
    if (isStepforkError(error)) return { code: error.code, path: error.details.path };
    throw error;
  }
  return { code: 'none', path: null };
}

const untyped = (value: unknown): Json => value as Json;

describe('objects and arrays', () => {
  it('B001 sorts keys and writes no spaces', () => {
    expect(canonicalJson({ b: 1, a: 2 })).toBe('{"a":2,"b":1}');
    expect(canonicalJsonText('{"b":1,"a":1}')).toBe('{"a":1,"b":1}');
  });

  it('B002 keeps the order of arrays', () => {
    expect(canonicalJson([2, 1])).toBe('[2,1]');
  });

  it('B007 gives the same text and hash for another insertion order, at any depth', () => {
    const one = { a: [{ x: 1, y: 2 }], b: { c: 3, d: 4 } };
    const other = { b: { d: 4, c: 3 }, a: [{ y: 2, x: 1 }] };
    expect(canonicalJson(one)).toBe(canonicalJson(other));
    expect(hashJson(one)).toBe(hashJson(other));
  });

  it('B008 sorts keys by code point, not by UTF-16 unit', () => {
    expect(canonicalJson({ '\u{1f600}': 1, '\ufb01': 2, z: 3 })).toBe('{"z":3,"\ufb01":2,"\u{1f600}":1}');
  });

  it('B009 sorts integer-like keys as text', () => {
    expect(canonicalJson({ 9: 1, 10: 2, b: 3, a: 4 })).toBe('{"10":2,"9":1,"a":4,"b":3}');
  });

  it('takes __proto__ and constructor as ordinary keys', () => {
    const value = parseJson('{"constructor":1,"__proto__":{"a":2}}');
    expect(canonicalJson(value)).toBe('{"__proto__":{"a":2},"constructor":1}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('does not change what it prints', () => {
    const value = { b: [{ d: 1, c: 2 }], a: 1 };
    canonicalJson(value);
    expect(Object.keys(value)).toEqual(['b', 'a']);
    expect(Object.keys(value.b[0] as object)).toEqual(['d', 'c']);
  });

  it('prints wide and deep values in linear time', () => {
    let deep: Json = { b: 1, a: 2 };
    for (let i = 0; i < 900; i++) deep = { z: 1, deep };
    expect(canonicalJson(deep)).toHaveLength(900 * '{"deep":,"z":1}'.length + '{"a":2,"b":1}'.length);
  });
});

describe('what is refused', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'B004 refuses %d with its path',
    (number) => {
      expect(refusal(() => canonicalJson({ a: [number] }))).toEqual({ code: 'not_canonical', path: '$.a[0]' });
    },
  );

  it('B005 refuses what is not JSON: dates, maps, functions, symbols, undefined, holes', () => {
    const holed = Object.assign([], { 1: 1 });
    expect(0 in holed).toBe(false);
    const values = [new Date(), new Map(), () => 1, Symbol('s'), undefined, holed, new (class Money {})()];
    for (const value of values) {
      expect(refusal(() => canonicalJson(untyped({ a: value }))).code).toBe('not_canonical');
    }
    expect(refusal(() => canonicalJson(untyped({ 'odd key': [undefined] }))).path).toBe('$["odd key"][0]');
  });

  it('B006 refuses objects keyed by anything but text', () => {
    expect(refusal(() => canonicalJson(untyped({ a: new Map([[1, 2]]) }))).path).toBe('$.a');
  });

  it('B018 refuses a lone surrogate in a string or key', () => {
    expect(refusal(() => canonicalJson(['ok', '\ud800'])).path).toBe('$[1]');
    expect(refusal(() => canonicalJson({ a: { '\udc00': 1 } })).path).toBe('$.a');
    expect(canonicalJson('\\ud800 \u{1f600}')).toBe('"\\\\ud800 \u{1f600}"');
  });

  it('refuses cycles and nesting deeper than 1,000', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(refusal(() => canonicalJson(untyped(cycle))).code).toBe('not_canonical');
    let deep: Json = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(refusal(() => canonicalJson(deep)).code).toBe('not_canonical');
  });
});

describe('numbers', () => {
  it('B010 tells 1 from 1.0 in text; a JavaScript 1 is an integer', () => {
    expect(canonicalJsonText('[1,1.0]')).toBe('[1,1.0]');
    expect(canonicalJson([1])).toBe('[1]');
    expect(canonicalJson(parseJson('[1.0]'))).toBe('[1]');
  });

  it.each([
    ['1e0', '1.0'],
    ['10e-1', '1.0'],
    ['1.0', '1.0'],
    ['1e2', '100.0'],
  ])('B011 prints the float %s as %s', (text, canonical) => {
    expect(canonicalJsonText(text)).toBe(canonical);
  });

  it('B012 prints -0 as 0 and keeps the sign of -0.0', () => {
    expect(canonicalJsonText('[-0,-0.0,0.0]')).toBe('[0,-0.0,0.0]');
    expect(canonicalJson([-0, 0])).toBe('[-0.0,0]');
  });

  it.each([
    [1e15, '1000000000000000'],
    [1e-4, '0.0001'],
    [1e-5, '1e-05'],
    [1e-7, '1e-07'],
    [1e21, '1e+21'],
    [1.5e300, '1.5e+300'],
    [5e-324, '5e-324'],
    [1234567890123456.8, '1234567890123456.8'],
    [-0.00001234, '-1.234e-05'],
    [-12.5, '-12.5'],
  ])('B013 lays out %d as %s', (number, text) => {
    expect(canonicalJson(number)).toBe(text);
  });

  it('B013 lays out whole floats as floats where the text had them as such', () => {
    expect(canonicalJsonText('[1e15,1e16,1e21]')).toBe('[1000000000000000.0,1e+16,1e+21]');
  });

  it('B014 prints the shortest digits that read back the same', () => {
    expect(canonicalJsonText('123456789012345680.0')).toBe('1.2345678901234568e+17');
    expect(canonicalJson(0.1 + 0.2)).toBe('0.30000000000000004');
  });

  it('B015 keeps every digit of integers of any size', () => {
    const text = '[9007199254740993,18446744073709551616,-12345678901234567890123456789012345678901]';
    expect(canonicalJsonText(text)).toBe(text);
    expect(canonicalJson(parseJson(text))).toBe(text);
    expect(canonicalJson(2n ** 64n)).toBe('18446744073709551616');
  });
});

describe('text', () => {
  it('B003 writes non-ASCII text raw', () => {
    expect(canonicalJson({ ключ: 'काठमाडौँ' })).toBe('{"ключ":"काठमाडौँ"}');
  });

  it('B016 writes true, false and null as such, never as numbers', () => {
    expect(canonicalJson([true, false, null])).toBe('[true,false,null]');
    expect(hashJson(true)).not.toBe(hashJson(1));
  });

  it('B017 escapes only quotes, backslashes and control characters', () => {
    expect(canonicalJson('"\\\b\t\n\f\r\u0000\u001f/\u007f\u2028\u2029\ufeff')).toBe(
      '"\\"\\\\\\b\\t\\n\\f\\r\\u0000\\u001f/\u007f\u2028\u2029\ufeff"',
    );
  });

  it('B019 hashes the UTF-8 bytes with SHA-256, 64 lower-case hex digits', () => {
    expect(hashJson({ b: 'é', a: 1 })).toMatch(/^[0-9a-f]{64}$/);
  });

  it('B020 gives the known answers', () => {
    expect(hashJson(null)).toBe('74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b');
    expect(hashJson(42)).toBe('73475cb40a568e8da8a045ced110137e159f890ac4da883b6b17dc651b3a8049');
    expect(hashJson(1.5)).toBe('9f29a130438b81170b92a42650f9a94291ecad60bd47af2a3886e75f7f728725');
    expect(hashJson({ b: 2, a: 1 })).toBe('43258cff783fe7036d8a43033f830adfc60ec037382473548ac742b888292777');
  });

  it('B021 does not normalise: é composed and decomposed differ', () => {
    expect(hashJson('\u00e9')).not.toBe(hashJson('e\u0301'));
  });

  it('B022 takes the last of duplicate keys, and its form', () => {
    expect(canonicalJsonText('{"a":1.0,"a":2}')).toBe('{"a":2}');
    expect(canonicalJsonText('{"a":2,"a":1.0}')).toBe('{"a":1.0}');
  });
});
