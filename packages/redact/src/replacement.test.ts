import { describe, expect, it } from 'vitest';
import { clearOfReplacements, REDACTED } from './replacement.js';

describe('a span beside an earlier replacement', () => {
  const text = `ab${REDACTED}cd${REDACTED}`;

  it.each([
    ['before it', 0, 2, [0, 2]],
    ['into it', 0, 5, [0, 12]],
    ['over it', 0, 13, [0, 13]],
    ['out of it', 8, 14, [2, 14]],
    ['from one into another', 8, 20, [2, 24]],
    ['after it', 12, 14, [12, 14]],
  ])('%s covers it whole or not at all', (_where, from, to, expected) => {
    expect(clearOfReplacements(text, from, to)).toEqual(expected);
  });

  it.each([
    ['it', 2, 12],
    ['a part of it', 3, 11],
    ['its end', 11, 12],
  ])('that is %s is none', (_what, from, to) => {
    expect(clearOfReplacements(text, from, to)).toBeNull();
  });
});
