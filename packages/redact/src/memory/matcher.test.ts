import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FormMatcher } from './matcher.js';

const form = (text: string) => ({ text, inBase64: false });

/** What a matcher must answer, found the slow way: leftmost, and there the longest. */
function slowly(forms: readonly string[], text: string): readonly (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  for (let at = 0; at < text.length; ) {
    const longest = forms
      .filter((one) => text.startsWith(one, at))
      .reduce((best, one) => Math.max(best, one.length), 0);
    if (longest > 0) found.push([at, at + longest]);
    at += Math.max(longest, 1);
  }
  return found;
}

describe('a form matcher', () => {
  it('finds what looking for each form at each place finds', () => {
    const letters = fc.constantFrom('a', 'b', '\u0161', '\ud83d');
    const forms = fc.array(
      fc.array(letters, { minLength: 8, maxLength: 14 }).map((parts) => parts.join('')),
      { maxLength: 6 },
    );
    const noise = fc.array(letters, { maxLength: 10 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(forms, noise, noise, ([...texts], before, after) => {
        const matcher = new FormMatcher();
        for (const text of texts) matcher.add(form(text));
        const text = before + texts.join(before) + after;
        const found = matcher.mayHold(text) ? [...matcher.find(text)].map(({ from, to }) => [from, to]) : [];
        expect(found).toEqual(slowly(texts, text));
      }),
      { seed: 1 },
    );
  });

  it('finds nothing in a text shorter than a form', () => {
    const matcher = new FormMatcher();
    matcher.add(form('aaaaaaaa'));
    expect([...matcher.find('aaaaaaa')]).toEqual([]);
    expect(matcher.mayHold('aaaa')).toBe(false);
  });
});

describe('the beginning of a form at the end of a text', () => {
  const letters = (min: number, max: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: min, maxLength: max });
  const forms = fc.array(
    fc.oneof(
      letters(8, 14),
      letters(8, 10).map((text) => text.repeat(80)),
    ),
    // More than are kept unsorted, too.
    { maxLength: 150, size: 'max' },
  );

  it('is found wherever one starts that goes on', () => {
    fc.assert(
      fc.property(forms, letters(0, 30), fc.nat(40), (texts, text, from) => {
        const matcher = new FormMatcher();
        for (const each of texts) matcher.add(form(each));
        const starts = Array.from({ length: text.length }, (_, at) => at).filter(
          (at) =>
            at >= from &&
            text.length - at >= 3 &&
            texts.some((each) => each.length > text.length - at && each.startsWith(text.slice(at))),
        );
        expect(matcher.begunIn(text, from)).toBe(Math.min(text.length, ...starts));
      }),
    );
  });
});
