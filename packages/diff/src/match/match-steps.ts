import { commonSubsequence } from '../align/common-subsequence.js';
import { createInterner, type Identity } from '../align/intern.js';
import type { Pair } from '../align/pair.js';
import type { Sides, Step } from '../trace/steps.js';
import { isSameValue } from '../value/same-value.js';
import { createCrossingCheck } from './crossing.js';
import { pairInTurn } from './elsewhere.js';
import { createFreeSteps, type Range } from './free-steps.js';
import { sameCall, sameLabel, sameStep, sameSubject } from './identities.js';
import { preferSame } from './prefer-same.js';
import { mergePairs, pairNeighbours } from './spine.js';

/** Which steps of two runs are counterparts. */
export interface Matching {
  /** In one order on both sides. */
  readonly spine: readonly Pair[];
  /** Out of order, but only among steps that went on at the same time. */
  readonly aside: readonly Pair[];
  /** Out of order. */
  readonly moved: readonly Pair[];
  /** Whether no search was cut short. */
  readonly exact: boolean;
}

type BySide<T> = { readonly a: T; readonly b: T };
type IdOf = BySide<(index: number) => number>;

/**
 * Matches the steps of two runs, best evidence first: the same call in the same order; the same call elsewhere; a
 * neighbour with the same label; a step with the same label in another order, where that was chance; a neighbour with
 * another label that was given the same.
 */
export function matchSteps(sides: Sides, ranges: BySide<Range>): Matching {
  const crossing = createCrossingCheck(sides);
  const callsInRange = callIds(sides, ranges);
  const calls: IdOf = {
    a: (index) => callsInRange.a[index - ranges.a.from] as number,
    b: (index) => callsInRange.b[index - ranges.b.from] as number,
  };
  const inOrder = sameCallsInOrder(sides, ranges, callsInRange);
  const free = createFreeSteps(ranges.a, ranges.b);
  let { spine, exact } = inOrder;
  const aside: Pair[] = [];
  const moved: Pair[] = [];
  free.take(spine);

  const pairOutOfOrder = (pairs: readonly Pair[], mayMove: boolean): void => {
    const found: Pair[] = [];
    for (const pair of pairs) {
      const isHarmless = crossing.isHarmless(pair, spine, aside);
      if (isHarmless) aside.push(pair);
      else if (mayMove) moved.push(pair);
      if (isHarmless || mayMove) found.push(pair);
    }
    free.take(found);
  };
  const pairInGaps = (ids: IdOf): void => {
    const found = pairNeighbours(spine, free.a(), free.b(), ids);
    const harmless = found.pairs.filter((pair) => crossing.isHarmless(pair, [], aside));
    exact &&= found.exact;
    spine = mergePairs(spine, harmless);
    free.take(harmless);
  };

  pairOutOfOrder(sameStepsElsewhere(sides, calls, free.a(), free.b()), true);
  pairOutOfOrder(pairInTurn(free.a(), free.b(), calls), true);
  const labels = idsOf(sides, sameLabel, free.a().length + free.b().length);
  pairInGaps(labels);
  pairOutOfOrder(pairInTurn(free.a(), free.b(), labels), false);
  pairInGaps(idsOf(sides, sameSubject, free.a().length + free.b().length));
  return { spine, aside, moved, exact: exact && crossing.exact() };
}

/** One number for what is the same, on both sides. */
function idsOf({ a, b }: Sides, identity: Identity<Step>, most: number): IdOf {
  const intern = createInterner(most, identity);
  return { a: (index) => intern(a[index] as Step), b: (index) => intern(b[index] as Step) };
}

/** One number for each call, the same on both sides. */
function callIds({ a, b }: Sides, ranges: BySide<Range>): BySide<Int32Array> {
  const most = ranges.a.to - ranges.a.from + ranges.b.to - ranges.b.from;
  const intern = createInterner(most, sameCall);
  const idsIn = (steps: readonly Step[], { from, to }: Range): Int32Array => {
    const ids = new Int32Array(to - from);
    for (let at = 0; at < ids.length; at++) ids[at] = intern(steps[from + at] as Step);
    return ids;
  };
  return { a: idsIn(a, ranges.a), b: idsIn(b, ranges.b) };
}

function sameCallsInOrder(
  { a, b }: Sides,
  ranges: BySide<Range>,
  calls: BySide<Int32Array>,
): { readonly spine: readonly Pair[]; readonly exact: boolean } {
  const fromA = ranges.a.from;
  const fromB = ranges.b.from;
  const common = commonSubsequence(calls.a, calls.b);
  const matched = preferSame(common, calls.a.length, calls.b.length, {
    isSameCall: (x, y) => calls.a[x] === calls.b[y],
    isSameStep: (x, y) => isSameValue((a[fromA + x] as Step).fields, (b[fromB + y] as Step).fields),
  });
  const spine: Pair[] = [];
  for (let at = 0; at < matched.a.length; at++) {
    spine.push({ a: fromA + (matched.a[at] as number), b: fromB + (matched.b[at] as number) });
  }
  return { spine, exact: common.exact };
}

/** Calls that the other side made elsewhere, with the same outcome. */
function sameStepsElsewhere(
  sides: Sides,
  calls: IdOf,
  freeA: readonly number[],
  freeB: readonly number[],
): readonly Pair[] {
  const madeInA = new Set(freeA.map(calls.a));
  const madeInB = new Set(freeB.map(calls.b));
  return pairInTurn(
    freeA.filter((index) => madeInB.has(calls.a(index))),
    freeB.filter((index) => madeInA.has(calls.b(index))),
    idsOf(sides, sameStep, freeA.length + freeB.length),
  );
}
