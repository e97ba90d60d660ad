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
      if (pairs.length === 0) return;
      sideA.take(pairs, 'a');
      sideB.take(pairs, 'b');
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
    take: (pairs: readonly Pair[], side: keyof Pair): void => {
      for (let at = 0; at < pairs.length; at++) taken[(pairs[at] as Pair)[side] - from] = 1;
      free = null;
    },
  };
}

function indexesOfZeros(flags: Uint8Array, from: number): readonly number[] {
  const indexes: number[] = [];
  for (let at = 0; at < flags.length; at++) if (flags[at] === 0) indexes.push(from + at);
  return indexes;
}
