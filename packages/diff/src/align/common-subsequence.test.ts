import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commonSubsequence } from './common-subsequence.js';
import type { Pair } from './pair.js';

const RUNS = { numRuns: process.env.STEPFORK_FULL === '1' ? 20_000 : 500 };

/** The length of a longest common subsequence, by the textbook's table. */
function longest(a: readonly number[], b: readonly number[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const x of a) {
    const next = [0];
    b.forEach((y, j) => {
      next.push(x === y ? (row[j] as number) + 1 : Math.max(row[j + 1] as number, next[j] as number));
    });
    row = next;
  }
  return row[b.length] as number;
}

function search(a: readonly number[], b: readonly number[], mostEdits?: number) {
  const { a: fromA, b: fromB, exact } = commonSubsequence(a, b, mostEdits);
  return { pairs: Array.from(fromA, (at, index): Pair => ({ a: at, b: fromB[index] as number })), exact };
}

function expectCommon(pairs: readonly Pair[], a: readonly number[], b: readonly number[]): void {
  expect(pairs.map((pair) => a[pair.a])).toEqual(pairs.map((pair) => b[pair.b]));
  const ascends = (pair: Pair, i: number): boolean => {
    const next = pairs[i + 1];
    return next === undefined || (next.a > pair.a && next.b > pair.b);
  };
  expect(pairs.every(ascends)).toBe(true);
}

const sequence = fc
  .integer({ min: 1, max: 8 })
  .chain((letters) => fc.array(fc.integer({ min: 0, max: letters }), { maxLength: 60 }));

describe('commonSubsequence', () => {
  test('is a longest one', () => {
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        const { pairs, exact } = search(a, b);
        expectCommon(pairs, a, b);
        expect(exact).toBe(true);
        expect(pairs).toHaveLength(longest(a, b));
      }),
      RUNS,
    );
  });

  test('is a common subsequence however early the search is cut short, and says so when it was', () => {
    fc.assert(
      fc.property(sequence, sequence, fc.integer({ min: 1, max: 5 }), (a, b, mostEdits) => {
        const { pairs, exact } = search(a, b, mostEdits);
        expectCommon(pairs, a, b);
        if (exact) expect(pairs).toHaveLength(longest(a, b));
      }),
      RUNS,
    );
  });

  test('matches all but one element around an insertion', () => {
    const b = Array.from({ length: 100_000 }, (_, i) => i % 200);
    const a = b.toSpliced(41_234, 1);
    const { pairs, exact } = search(a, b);
    expect(exact).toBe(true);
    expect(pairs).toHaveLength(a.length);
  });

  test('ends, with a result, where long sequences of few kinds have nothing to do with each other', () => {
    let seed = 1;
    const random = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % 200;
    };
    const a = Array.from({ length: 20_000 }, random);
    const b = Array.from({ length: 20_000 }, random);
    const { pairs, exact } = search(a, b, 128);
    expectCommon(pairs, a, b);
    expect(exact).toBe(false);
    expect(pairs.length).toBeGreaterThan(1000);
  });
});
