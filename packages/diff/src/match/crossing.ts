import type { Pair } from '../align/pair.js';
import { overlapped } from '../trace/overlap.js';
import type { Sides } from '../trace/steps.js';
import { pairsBefore } from './spine.js';

/** Pairs looked at before questions are answered with no, for one diff: a limit for runs made to be slow. */
const MOST_LOOKS = 10_000_000;

/** Knows which pairs may stand out of order, because they only cross steps that they overlapped in both runs. */
export interface CrossingCheck {
  readonly isHarmless: (pair: Pair, spine: readonly Pair[], aside: readonly Pair[]) => boolean;
  /** Whether every question so far was answered. */
  readonly exact: () => boolean;
}

export function createCrossingCheck({ a, b }: Sides): CrossingCheck {
  let looks = MOST_LOOKS;
  const areConcurrent = (one: Pair, other: Pair): boolean =>
    overlapped(a, one.a, other.a) && overlapped(b, one.b, other.b);
  return {
    isHarmless: (pair, spine, aside) => {
      const beforeInA = pairsBefore(spine, 'a', pair.a);
      const beforeInB = pairsBefore(spine, 'b', pair.b);
      const end = Math.max(beforeInA, beforeInB);
      for (let at = Math.min(beforeInA, beforeInB); at < end; at++) {
        if (--looks < 0 || !areConcurrent(pair, spine[at] as Pair)) return false;
      }
      for (const other of aside) {
        const crosses = other.a < pair.a !== other.b < pair.b;
        if (--looks < 0 || (crosses && !areConcurrent(pair, other))) return false;
      }
      return true;
    },
    exact: () => looks >= 0,
  };
}
