import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../json.js';
import { canonicalJson } from './canonical.js';
import { skipCompact } from './compact-json.js';

/** Whether the whole text is taken. */
function takes(text: string): boolean {
  const bytes = Buffer.from(text);
  return skipCompact(bytes, 0, bytes.length) === bytes.length;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Every key in the text. */
function keysOf(text: string): readonly string[] {
  const keys: string[] = [];
  JSON.parse(text, (key, value: unknown) => {
    keys.push(key);
    return value;
  });
  return keys;
}

const RUNS = process.env.STEPFORK_FULL === '1' ? 1_000_000 : 20_000;
/** Pieces of which texts that are nearly JSON can be made. */
const PIECES = [
  ...['{', '}', '[', ']', ',', ':', '"', '"a"', '"a":', '\\', '\\"', '\\u00e9', '\\u12', '\\x', '\u0000', '\n', ' '],
  ...[
    '0',
    '-',
    '1',
    '01',
    '1.5',
    '.',
    'e',
    'E+1',
    '1e',
    '-0',
    'true',
    'tru',
    'false',
    'null',
    'nul',
    'é',
    '😀',
    '\u007f',
  ],
];

describe('telling compact JSON by its bytes', () => {
  it('takes whatever is written canonically', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        let text: string;
        try {
          text = canonicalJson(value as Json);
        } catch {
          // A lone surrogate.
          return;
        }
        expect([text, takes(text)]).toEqual([text, !keysOf(text).some((key) => JSON.stringify(key).includes('\\u'))]);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes nothing that JSON.parse would not', () => {
    const nearly = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''));
    const inside = fc.oneof(
      nearly,
      nearly.map((text) => `{"a":${text}}`),
      nearly.map((text) => `[${text}]`),
    );
    let taken = 0;
    fc.assert(
      fc.property(inside, (text) => {
        if (!takes(text)) return;
        taken++;
        expect([text, parses(text)]).toEqual([text, true]);
      }),
      { numRuns: RUNS, seed: 1 },
    );
    expect(taken).toBeGreaterThan(RUNS / 200);
  });

  it('takes nothing that JSON.parse would not when a byte of JSON is changed', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), fc.integer({ min: 1, max: 127 }), (text, at, byte) => {
        const bytes = Buffer.from(text);
        bytes[at % bytes.length] = byte;
        const changed = bytes.toString('utf8');
        if (changed === text || !takes(changed)) return;
        expect([changed, parses(changed)]).toEqual([changed, true]);
      }),
      { numRuns: RUNS / 2 },
    );
  });

  it.each<[string, string]>([
    ['white space', '{ "a":1}'],
    ['nesting beyond the usual', '['.repeat(502) + ']'.repeat(502)],
    ['a number of thousands of digits', '9'.repeat(4400)],
    ['a key that is spelled with \\u', '{"\\u0024stepfork":1}'],
    ['a string that does not end', '"abc'],
    ['a list that does not end', '[1,'],
    ['nothing', ''],
    ['more after the value', '1 '],
  ])('leaves to others: %s', (_title, text) => {
    expect(takes(text)).toBe(false);
  });

  it('never looks at what follows the end it was given', () => {
    const bytes = Buffer.from('"abc"');
    expect(skipCompact(bytes, 0, 4)).toBe(-1);
    expect(skipCompact(Buffer.from('12345'), 0, 3)).toBe(3);
    expect(skipCompact(Buffer.from('true'), 0, 2)).toBe(-1);
  });
});
