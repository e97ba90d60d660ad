import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isStepforkError } from '../errors.js';
import type { Json } from '../json.js';
import { canonicalEntry } from './canonical.js';
import { parseLossless } from './lossless-parser.js';
import { parseJson, parseJsonShape } from './parse-json.js';

function outcome(parse: () => unknown): string {
  try {
    // As text: JSON.parse reads the integer -0 as a negative zero.
    return JSON.stringify(parse());
  } catch {
    return 'refused';
  }
}

describe('parseJson', () => {
  it('takes and refuses what JSON.parse takes and refuses', () => {
    const piece = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '"a"',
        '"\\u00e9"',
        '"\\x"',
        '1',
        '-',
        '0',
        '01',
        '1.',
        '.5',
        '1.5',
        'e',
        'E+1',
      ],
      ...['true', 'false', 'null', 'nul', 'NaN', ' ', '\n', '\t', '\u00a0', '\ufeff', '\\', '"\u0001"', '{"a":', '[1,'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        expect(outcome(() => parseLossless(text, false))).toEqual(outcome(() => JSON.parse(text)));
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps every number whose form is lost in JavaScript, also where it is near a whole one', () => {
    const digits = (least: number, most: number): fc.Arbitrary<string> =>
      fc.oneof(
        fc.stringMatching(new RegExp(`^[0-9]{${least},${most}}$`)),
        fc.integer({ min: least, max: most }).chain((n) => fc.constantFrom('0'.repeat(n), '9'.repeat(n))),
      );
    const whole = digits(1, 20).map((text) => text.replace(/^0+(?=\d)/, ''));
    const exponent = fc
      .tuple(fc.constantFrom('e', 'E', 'e-', 'E+', 'e-0'), digits(1, 3))
      .map((parts) => parts.join(''));
    const token = fc
      .tuple(fc.constantFrom('', '-'), whole, fc.option(digits(1, 24), { nil: null }), fc.option(exponent, { nil: '' }))
      .map(([sign, int, part, exp]) => `${sign}${int}${part === null ? '' : `.${part}`}${exp}`);
    const text = (parse: (text: string) => Json, number: string): string => {
      try {
        return canonicalEntry(parse(`{"a": [0,\n${number}]}`) as object, 'a');
      } catch {
        return 'refused';
      }
    };
    fc.assert(
      fc.property(token, (number) => {
        expect(text(parseJson, number)).toBe(text((json) => parseLossless(json, false), number));
      }),
      { numRuns: 3000 },
    );
  });

  it('takes and refuses the same when numbers are not looked at', () => {
    const long = '1'.repeat(4300);
    const texts = [
      long,
      `${long}1`,
      `-${long}1`,
      `[${' '.repeat(3000)}${long}2]`,
      `"${long}3"`,
      `${long}.5`,
      'NaN',
      '[1.0',
    ];
    for (const text of [
      ...texts,
      '['.repeat(1001) + ']'.repeat(1001),
      '['.repeat(1000) + ']'.repeat(1000),
      '{"a":1}',
    ]) {
      const isTaken = (parse: () => unknown): boolean => outcome(() => typeof parse()) !== 'refused';
      expect([text.slice(0, 20), isTaken(() => parseJsonShape(text))]).toEqual([
        text.slice(0, 20),
        isTaken(() => parseJson(text, { nonFinite: true })),
      ]);
    }
    expect(parseJsonShape('{"a": [1.0, 9007199254740993]}')).toEqual({ a: [1, 9007199254740992] });
  });

  it('gives the same values as JSON.parse for any JSON', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
        expect(parseLossless(text, false)).toEqual(normalZero(JSON.parse(text)));
        expect(parseJson(text)).toEqual(normalZero(JSON.parse(text)));
      }),
    );
  });

  it.each([
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9007199254740992', 9007199254740992],
    ['1000000000000000000000', 10n ** 21n],
    ['100000000000000000000', 1e20],
    ['1e21', 1e21],
    ['1.0', 1],
    ['-0', 0],
    ['-0.0', -0],
    ['-0e5', -0],
    ['0.99999999999999999', 1],
  ])('reads %s as %s', (text, value) => {
    expect(parseJson(text)).toBe(value);
    expect(parseJson(` [ ${text} ] `)).toEqual([value]);
  });

  it('remembers beside the container which whole numbers were floats', () => {
    const value = parseJson('{"a":1.0,"b":[1e2,2,4503599627370497.0],"c":{"d":-0}}') as Record<string, never>;
    expect(value).toEqual({ a: 1, b: [100, 2, 4503599627370497], c: { d: 0 } });
    expect(canonicalEntry([value], '0')).toBe('{"a":1.0,"b":[100.0,2,4503599627370497.0],"c":{"d":0}}');
    expect(canonicalEntry(value, 'a')).toBe('1.0');
  });

  it('is not misled by numbers in strings and keys', () => {
    const text = '{" 1.0,":"x: -0,","[1e5]":[" 12345678901234567 ",1.0]}';
    expect(canonicalEntry([parseJson(text)], '0')).toBe('{" 1.0,":"x: -0,","[1e5]":[" 12345678901234567 ",1.0]}');
  });

  it('keeps __proto__ an ordinary key', () => {
    const value = parseJson('{"__proto__":{"polluted":1.0},"a":1e1}') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('says the line and the column of a fault', () => {
    const fault = (text: string): string => {
      try {
        parseJson(text);
        return 'none';
      } catch (error) {
        return isStepforkError(error, 'invalid_json') ? error.message : String(error);
      }
    };
    expect(fault('{\n "a": tru }')).toBe('not JSON at line 2, column 7: unexpected character');
    expect(fault('')).toBe('not JSON at line 1, column 1: unexpected end');
    expect(fault('[1,]')).toBe('not JSON at line 1, column 4: unexpected character');
    expect(fault('{"a" 1}')).toBe("not JSON at line 1, column 6: expected ':' after the key");
    expect(fault('"abc')).toBe('not JSON at line 1, column 1: a string that does not end');
    expect(fault('1 2')).toBe('not JSON at line 1, column 3: unexpected text after the value');
    expect(fault(`-${'9'.repeat(4301)}`)).toContain('an integer of more than 4300 digits');
  });

  it('refuses nesting deeper than 1,000 and takes 1,000', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(() => parseJson(nested(1000))).not.toThrow();
    for (const levels of [1001, 200_000]) {
      expect(() => parseJson(nested(levels))).toThrowError('nested deeper than 1000');
      expect(() => parseJson(`[1.0,${nested(levels)}]`)).toThrowError('nested deeper than 1000');
    }
    expect(() => parseJson(`${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}`)).toThrowError('nested deeper than 1000');
  });

  it('takes NaN and infinities only when asked to', () => {
    expect(() => parseJson('[NaN]')).toThrowError('not JSON');
    expect(parseJson('[NaN,Infinity,-Infinity]', { nonFinite: true })).toEqual([NaN, Infinity, -Infinity]);
  });

  it('reads ten megabytes of escaped quotes beside a float', () => {
    const text = `[1.0,"${'\\"'.repeat(2_500_000)}${'\\\\'.repeat(2_500_000)}"]`;
    const [, long] = parseJson(text) as [number, string];
    expect(long).toHaveLength(5_000_000);
  });
});

/** JSON.parse reads `-0` as a negative zero; the integer has no sign. */
function normalZero(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
