import type { Pair } from '../align/pair.js';

/** The steps that take part in a search, by index. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The steps of both sides that have no counterpart yet, in order. */
export interface FreeSteps {
  readonly a: () => readonly number[];
  readonly b: () => readonly number[];
  readonly take: (pairs: readonly Pair[]) => void;
}

export function createFreeSteps(rangeA: Range, rangeB: Range): FreeSteps {
  const sideA = createSide(rangeA);
  const sideB = createSide(rangeB);
  return {
    a: sideA.list,
    b: sideB.list,
    take: (pairs) => {
      sideA.take(pairs.map(({ a }) => a));
      sideB.take(pairs.map(({ b }) => b));
    },
  };
}

function createSide({ from, to }: Range) {
  let free = Array.from({ length: to - from }, (_, at) => from + at);
  return {
    list: (): readonly number[] => free,
    take: (indexes: readonly number[]): void => {
      if (indexes.length === 0) return;
      const taken = new Set(indexes);
      free = free.filter((index) => !taken.has(index));
    },
  };
}
