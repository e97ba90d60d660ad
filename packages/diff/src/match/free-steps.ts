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
      for (const { a, b } of pairs) {
        sideA.take(a);
        sideB.take(b);
      }
    },
  };
}

function createSide({ from, to }: Range) {
  const taken = new Uint8Array(to - from);
  let free: readonly number[] | null = null;
  return {
    list: (): readonly number[] => {
      free ??= indexesOfZeros(taken, from);
      return free;
    },
    take: (index: number): void => {
      taken[index - from] = 1;
      free = null;
    },
  };
}

function indexesOfZeros(flags: Uint8Array, from: number): readonly number[] {
  const indexes: number[] = [];
  for (let at = 0; at < flags.length; at++) if (flags[at] === 0) indexes.push(from + at);
  return indexes;
}
