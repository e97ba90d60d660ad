import { commonSubsequence } from '../align/common-subsequence.js';
import { createInterner } from '../align/intern.js';
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
 * Pairs of free steps with one text that stand between the same two pairs of the spine: neighbours.
 *
 * @param freeA ascending, as `freeB`
 */
export function pairNeighbours(
  spine: readonly Pair[],
  freeA: readonly number[],
  freeB: readonly number[],
  text: { readonly a: (index: number) => string; readonly b: (index: number) => string },
): { readonly pairs: readonly Pair[]; readonly exact: boolean } {
  const intern = createInterner();
  let exact = true;
  const pairs: Pair[] = [];
  for (const gap of gapsOf(spine, freeA, freeB)) {
    const a = gap.a.map((index) => intern(text.a(index)));
    const b = gap.b.map((index) => intern(text.b(index)));
    const common = commonSubsequence(a, b);
    exact &&= common.exact;
    for (const pair of common.pairs) pairs.push({ a: gap.a[pair.a] as number, b: gap.b[pair.b] as number });
  }
  return { pairs, exact };
}

/** The gaps in which both sides have something free. */
function gapsOf(spine: readonly Pair[], freeA: readonly number[], freeB: readonly number[]): readonly Gap[] {
  const byGap = new Map<number, number[]>();
  for (const index of freeA) {
    const gap = pairsBefore(spine, 'a', index);
    const list = byGap.get(gap);
    if (list === undefined) byGap.set(gap, [index]);
    else list.push(index);
  }
  const gaps = new Map<number, { a: readonly number[]; b: number[] }>();
  for (const index of freeB) {
    const gap = pairsBefore(spine, 'b', index);
    const a = byGap.get(gap);
    if (a === undefined) continue;
    const known = gaps.get(gap);
    if (known === undefined) gaps.set(gap, { a, b: [index] });
    else known.b.push(index);
  }
  return [...gaps.values()];
}

/** Two lists of pairs that do not cross, as one. */
export function mergePairs(spine: readonly Pair[], more: readonly Pair[]): readonly Pair[] {
  return more.length === 0 ? spine : [...spine, ...more].sort((x, y) => x.a - y.a);
}
