import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composed, type Splice, spliced } from './splice.js';

/** Splices of a text, in order. */
const splicesOf = (length: number): fc.Arbitrary<readonly Splice[]> =>
  fc
    .array(fc.tuple(fc.nat(6), fc.nat(4), fc.stringMatching(/^[A-Z]{1,5}$/)), { maxLength: 5 })
    .map((parts) => {
      let at = 0;
      return parts.map(([gap, size, by]) => {
        const from = at + gap;
        at = from + size + (size === 0 ? 1 : 0);
        return { from, to: from + size, by };
      });
    })
    .map((splices) => splices.filter(({ to }) => to <= length));

describe('splices one after the other', () => {
  it('are one list that does what both do', () => {
    const twice = fc
      .tuple(fc.string({ maxLength: 30 }), splicesOf(30))
      .map(([text, all]) => ({ text, first: all.filter(({ to }) => to <= text.length) }))
      .chain(({ text, first }) => {
        const between = spliced(text, first);
        return splicesOf(between.length).map((second) => ({ text, first, between, second }));
      });
    fc.assert(
      fc.property(twice, ({ text, first, between, second }) => {
        expect(spliced(text, composed(first, second, between))).toBe(spliced(between, second));
      }),
      { numRuns: 500, seed: 20 },
    );
  });
});
