import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Splice, spliced } from '../text/splice.js';
import { united } from './united.js';

const SIZE = 12;
const list = fc
  .array(fc.nat(SIZE), { maxLength: 6 })
  .map((places) => [...places].sort((a, b) => a - b))
  .map((places) =>
    places.flatMap((from, i): readonly Splice[] => {
      const to = places[i + 1];
      return i % 2 === 0 && to !== undefined && to > from ? [{ from, to, by: '#' }] : [];
    }),
  );

describe('splices of several lists', () => {
  it('replace what any of them replaces, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(list, { maxLength: 3 }), (lists) => {
        const text = 'abcdefghijkl';
        const all = united(lists);
        const replaced = [...text].filter((_, at) => lists.flat().some(({ from, to }) => from <= at && at < to));
        const left = spliced(text, all).replaceAll('#', '');
        expect(left).toBe([...text].filter((character) => !replaced.includes(character)).join(''));
        expect(all.every((splice, i) => splice.from >= (all[i - 1]?.to ?? 0))).toBe(true);
      }),
      { seed: 31 },
    );
  });

  it('let the longer one say what stands there', () => {
    const inner: Splice = { from: 2, to: 4, by: 'inner' };
    expect(united([[inner], [{ from: 1, to: 5, by: 'outer' }]])).toEqual([{ from: 1, to: 5, by: 'outer' }]);
    expect(united([[inner], [{ from: 2, to: 4, by: '' }]])).toEqual([inner]);
    expect(united([[inner], [{ from: 4, to: 4, by: 'nothing' }]])).toEqual([inner]);
  });
});
