import { commonSubsequence } from '../align/common-subsequence.js';
import type { Pair } from '../align/pair.js';

/** What neither side has matched between two pairs of the spine. */
interface Gap {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** How often `spine`, ascending on both sides, has a pair before `index`. */
export function pairsBefore(spine: readonly Pair[], side: 'a' | 'b', index: number): number {
  let low = 0;
  let high = spine.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spine[middle] as Pair)[side] < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Pairs of free steps with one id that stand between the same two pairs of the spine: neighbours.
 *
 * @param freeA ascending, as `freeB`
 */
export function pairNeighbours(
  spine: readonly Pair[],
  freeA: readonly number[],
  freeB: readonly number[],
  idOf: { readonly a: (index: number) => number; readonly b: (index: number) => number },
): { readonly pairs: readonly Pair[]; readonly exact: boolean } {
  let exact = true;
  const pairs: Pair[] = [];
  for (const gap of gapsOf(spine, freeA, freeB)) {
    const numbers = new Map<number, number>();
    // Small numbers, as a gap is small.
    const numbered = (id: number): number => {
      const number = numbers.get(id) ?? numbers.size;
      numbers.set(id, number);
      return number;
    };
    const common = commonSubsequence(
      gap.a.map((index) => numbered(idOf.a(index))),
      gap.b.map((index) => numbered(idOf.b(index))),
    );
    exact &&= common.exact;
    for (const pair of common.pairs) pairs.push({ a: gap.a[pair.a] as number, b: gap.b[pair.b] as number });
  }
  return { pairs, exact };
}

/** The gaps in which both sides have something free. */
function gapsOf(spine: readonly Pair[], freeA: readonly number[], freeB: readonly number[]): readonly Gap[] {
  const gaps: Gap[] = [];
  let fromA = 0;
  let fromB = 0;
  for (let gap = 0; gap <= spine.length && fromA < freeA.length && fromB < freeB.length; gap++) {
    const end = spine[gap];
    const toA = countBefore(freeA, fromA, end?.a);
    const toB = countBefore(freeB, fromB, end?.b);
    if (toA > fromA && toB > fromB) gaps.push({ a: freeA.slice(fromA, toA), b: freeB.slice(fromB, toB) });
    fromA = toA;
    fromB = toB;
  }
  return gaps;
}

/** How many indexes stand before `end`, all from `from` on where there is none. */
function countBefore(indexes: readonly number[], from: number, end: number | undefined): number {
  if (end === undefined) return indexes.length;
  let to = from;
  while (to < indexes.length && (indexes[to] as number) < end) to++;
  return to;
}

/** Two lists of pairs that do not cross, as one. */
export function mergePairs(spine: readonly Pair[], more: readonly Pair[]): readonly Pair[] {
  if (more.length === 0) return spine;
  const merged: Pair[] = [];
  let next = 0;
  for (const pair of spine) {
    for (let other = more[next]; other !== undefined && other.a < pair.a; other = more[++next]) merged.push(other);
    merged.push(pair);
  }
  for (; next < more.length; next++) merged.push(more[next] as Pair);
  return merged;
}
