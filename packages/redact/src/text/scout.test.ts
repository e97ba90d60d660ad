import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Hint, Scout } from './scout.js';

const hints: readonly (readonly Hint[])[] = [
  [{ word: 'sk-' }],
  [
    { word: 'bearer', anyCase: true },
    { word: 'x:', anyCase: true },
  ],
  [{ word: '://' }],
  [{ word: 'Kk' }],
  [{ word: 'aaa' }],
  [{ word: '"' }, { word: 'k=' }],
];
const scout = new Scout(hints);
const pieces = [
  'sk-',
  'BEARer',
  'bear',
  'X:',
  '://',
  ':/',
  'K',
  'k',
  'a',
  ' ',
  'é',
  '\u0261',
  's',
  '-',
  '\ud800',
  '"',
  '=',
];
const holds = (text: string, { word, anyCase = false }: Hint): boolean =>
  anyCase ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).includes(word) : text.includes(word);

describe('a scout', () => {
  it.each([
    ['short', 12, ''],
    ['long', 12, ' no such word here,'.repeat(20)],
    ['long and full of telling characters', 300, ''],
  ])('sees exactly the words that are in a %s text', (_kind, maxLength, filler) => {
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength }).map((parts) => parts.join('') + filler);
    fc.assert(
      fc.property(texts, (text) => {
        const seen = scout.look(text);
        const expected = hints.map((words) => (words.some((hint) => holds(text, hint)) ? 1 : 0));
        expect(seen === null ? hints.map(() => 0) : [...seen]).toEqual(expected);
      }),
      { seed: 1 },
    );
  });
});
