import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createInterner } from './intern.js';

/** Texts, of which the fingerprint tells one in `kinds` apart. */
const interner = (most: number, kinds: number) =>
  createInterner<string>(most, {
    fingerprint: (text) => text.length % kinds,
    isSame: (one, other) => one === other,
    text: (text) => text,
  });

test('gives equal elements one number, counted from 0, and different ones different numbers', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 3 }), { maxLength: 200 }),
      fc.integer({ min: 1, max: 4 }),
      (all, kinds) => {
        const intern = interner(all.length, kinds);
        const distinct = [...new Set(all)];
        expect(all.map(intern)).toEqual(all.map((text) => distinct.indexOf(text)));
      },
    ),
  );
});

test('lets the text decide where fingerprints meet too often', () => {
  const all = Array.from({ length: 500 }, (_, n) => String(n).padStart(3, '0'));
  const intern = interner(all.length, 1);
  for (let round = 0; round < 2; round++) expect(all.map(intern)).toEqual(all.map((_, n) => n));
});
