import type { Trace } from '@stepfork/trace-format/write';
import { mirrored, type Pair } from './align/pair.js';
import { diffSteps } from './diff-steps.js';
import { type Matching, matchSteps } from './match/match-steps.js';
import { stepText } from './match/texts.js';
import type { DiffResult, DiffStep } from './result.js';
import { redactSteps } from './trace/redact-steps.js';
import { type SharedEnds, sharedEnds } from './trace/shared-ends.js';
import { type Sides, stepsOf } from './trace/steps.js';

/** Two runs without their secrets, and which of their steps are counterparts. */
interface Comparison {
  readonly sides: Sides;
  readonly matching: Matching;
}

/**
 * Says what two runs did differently: which calls they made, in which order, with which inputs and outcomes, which
 * states they went through and what they came to. Ids, times, durations and step numbers do not count, nor does the
 * order of calls that went on at the same time. Secrets are redacted before anything is shown.
 *
 * @throws StepforkError `not_canonical` for a trace made by hand with a value nested deeper than 1,000.
 */
export function diffTraces(baseline: Trace, candidate: Trace): DiffResult {
  const { sides, matching } = compare({ a: stepsOf(baseline), b: stepsOf(candidate) });
  return resultOf(diffSteps(sides, matching), matching.exact);
}

/** Whichever run is the baseline, the search goes the same way: swapped runs have the mirrored difference. */
function compare(sides: Sides): Comparison {
  const shared = sharedEnds(sides);
  if (!goesAsGiven(sides, shared)) return mirrorComparison(compareInOrder(mirrorSides(sides), shared));
  return compareInOrder(sides, shared);
}

function goesAsGiven({ a, b }: Sides, { first, last }: SharedEnds): boolean {
  const x = first < a.length - last ? a[first] : undefined;
  const y = first < b.length - last ? b[first] : undefined;
  return x === undefined || (y !== undefined && stepText(x) <= stepText(y));
}

/** Runs from disk were redacted when they were recorded, so that a second search is rare. */
function compareInOrder(sides: Sides, shared: SharedEnds): Comparison {
  const matching = match(sides, shared);
  const redacted = redactSteps(sides, matching.spine);
  if (redacted === null) return { sides, matching };
  return { sides: redacted, matching: match(redacted, sharedEnds(redacted)) };
}

function match(sides: Sides, { first, last }: SharedEnds): Matching {
  const endA = sides.a.length - last;
  const endB = sides.b.length - last;
  const between = matchSteps(sides, { a: { from: first, to: endA }, b: { from: first, to: endB } });
  const start = Array.from({ length: first }, (_, at): Pair => ({ a: at, b: at }));
  const end = Array.from({ length: last }, (_, at): Pair => ({ a: endA + at, b: endB + at }));
  return { ...between, spine: [...start, ...between.spine, ...end] };
}

function mirrorSides({ a, b }: Sides): Sides {
  return { a: b, b: a };
}

function mirrorComparison({ sides, matching }: Comparison): Comparison {
  const { spine, aside, moved, exact } = matching;
  return {
    sides: mirrorSides(sides),
    matching: { spine: spine.map(mirrored), aside: aside.map(mirrored), moved: moved.map(mirrored), exact },
  };
}

function resultOf(steps: readonly DiffStep[], exact: boolean): DiffResult {
  const counts = { unchanged: 0, changed: 0, moved: 0, added: 0, removed: 0 };
  for (const { kind } of steps) counts[kind]++;
  const result = { equivalent: counts.unchanged === steps.length, counts, steps };
  return exact ? result : { ...result, approximate: true };
}
