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

type IdOf = { readonly a: (index: number) => number; readonly b: (index: number) => number };

/**
 * Pairs of free steps with one id that stand between the same two pairs of the spine: neighbours.
 *
 * @param freeA ascending, as `freeB`
 */
export function pairNeighbours(
  spine: readonly Pair[],
  freeA: readonly number[],
  freeB: readonly number[],
  idOf: IdOf,
): { readonly pairs: readonly Pair[]; readonly exact: boolean } {
  let exact = true;
  const pairs: Pair[] = [];
  for (const gap of gapsOf(spine, freeA, freeB)) exact = pairGap(gap, idOf, pairs) && exact;
  return { pairs, exact };
}

/** Most gaps hold a step of each side, or as many of one kind: there is nothing to search for. */
function pairGap({ a, b }: Gap, idOf: IdOf, pairs: Pair[]): boolean {
  const idsA = a.map(idOf.a);
  const idsB = b.map(idOf.b);
  const shorter = Math.min(a.length, b.length);
  let alike = 0;
  while (alike < shorter && idsA[alike] === idsB[alike]) alike++;
  if (alike === shorter || a.length + b.length === 2) {
    for (let at = 0; at < alike; at++) pairs.push({ a: a[at] as number, b: b[at] as number });
    return true;
  }
  const numbers = new Map<number, number>();
  // Small numbers, as a gap is small.
  const numbered = (id: number): number => {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return number;
  };
  const common = commonSubsequence(idsA.map(numbered), idsB.map(numbered));
  for (let at = 0; at < common.a.length; at++) {
    pairs.push({ a: a[common.a[at] as number] as number, b: b[common.b[at] as number] as number });
  }
  return common.exact;
}

/** The gaps in which both sides have something free. */
function gapsOf(spine: readonly Pair[], freeA: readonly number[], freeB: readonly number[]): readonly Gap[] {
  const gaps: Gap[] = [];
  let fromA = 0;
  let fromB = 0;
  for (let gap = 0; gap <= spine.length && fromA < freeA.length && fromB < freeB.length; gap++) {
    const end = spine[gap] ?? { a: Infinity, b: Infinity };
    let toA = fromA;
    let toB = fromB;
    while (toA < freeA.length && (freeA[toA] as number) < end.a) toA++;
    while (toB < freeB.length && (freeB[toB] as number) < end.b) toB++;
    if (toA > fromA && toB > fromB) gaps.push({ a: freeA.slice(fromA, toA), b: freeB.slice(fromB, toB) });
    fromA = toA;
    fromB = toB;
  }
  return gaps;
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
