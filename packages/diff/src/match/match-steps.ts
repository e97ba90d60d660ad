import { commonSubsequence } from '../align/common-subsequence.js';
import { createInterner } from '../align/intern.js';
import type { Pair } from '../align/pair.js';
import type { Sides, Step } from '../trace/steps.js';
import { isSameValue } from '../value/same-value.js';
import { createCrossingCheck } from './crossing.js';
import { pairInTurn } from './elsewhere.js';
import { createFreeSteps, type Range } from './free-steps.js';
import { preferSame } from './prefer-same.js';
import { mergePairs, pairNeighbours } from './spine.js';
import { callText, labelText, stepText, subjectText } from './texts.js';

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
type IdOf = BySide<(index: number) => number | string>;

/**
 * Matches the steps of two runs, best evidence first: the same call in the same order; the same call elsewhere; a
 * neighbour with the same label; a step with the same label in another order, where that was chance; a neighbour with
 * another label that was given the same.
 */
export function matchSteps(sides: Sides, ranges: BySide<Range>): Matching {
  const crossing = createCrossingCheck(sides);
  const calls = callIds(sides, ranges);
  const inOrder = sameCallsInOrder(sides, ranges, calls);
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
  const pairInGaps = (textOf: (step: Step) => string): void => {
    const found = pairNeighbours(spine, free.a(), free.b(), textsOf(sides, textOf));
    const harmless = found.pairs.filter((pair) => crossing.isHarmless(pair, [], aside));
    exact &&= found.exact;
    spine = mergePairs(spine, harmless);
    free.take(harmless);
  };

  pairOutOfOrder(sameStepsElsewhere(sides, calls, free.a(), free.b()), true);
  pairOutOfOrder(pairInTurn(free.a(), free.b(), calls), true);
  pairInGaps(labelText);
  pairOutOfOrder(pairInTurn(free.a(), free.b(), textsOf(sides, labelText)), false);
  pairInGaps(subjectText);
  return { spine, aside, moved, exact: exact && crossing.exact() };
}

function textsOf({ a, b }: Sides, textOf: (step: Step) => string): BySide<(index: number) => string> {
  return { a: (index) => textOf(a[index] as Step), b: (index) => textOf(b[index] as Step) };
}

/** One number for each call, the same on both sides. */
function callIds({ a, b }: Sides, ranges: BySide<Range>): BySide<(index: number) => number> {
  const intern = createInterner();
  const idsOf = (steps: readonly Step[], { from, to }: Range): ((index: number) => number) => {
    const ids = steps.slice(from, to).map((step) => intern(callText(step)));
    return (index) => ids[index - from] as number;
  };
  return { a: idsOf(a, ranges.a), b: idsOf(b, ranges.b) };
}

function sameCallsInOrder(
  { a, b }: Sides,
  ranges: BySide<Range>,
  calls: BySide<(index: number) => number>,
): { readonly spine: readonly Pair[]; readonly exact: boolean } {
  const list = ({ from, to }: Range, id: (index: number) => number): readonly number[] =>
    Array.from({ length: to - from }, (_, at) => id(from + at));
  const { pairs, exact } = commonSubsequence(list(ranges.a, calls.a), list(ranges.b, calls.b));
  const inRange = preferSame(pairs, ranges.a.to - ranges.a.from, ranges.b.to - ranges.b.from, {
    isSameCall: (x, y) => calls.a(ranges.a.from + x) === calls.b(ranges.b.from + y),
    isSameStep: (x, y) => isSameValue((a[ranges.a.from + x] as Step).fields, (b[ranges.b.from + y] as Step).fields),
  });
  return { spine: inRange.map((pair) => ({ a: ranges.a.from + pair.a, b: ranges.b.from + pair.b })), exact };
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
    textsOf(sides, stepText),
  );
}
