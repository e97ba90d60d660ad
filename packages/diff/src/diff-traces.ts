import type { RedactOptions } from '@stepfork/redact';
import type { Trace } from '@stepfork/trace-format/write';
import { mirrored, type Pair } from './align/pair.js';
import { type Comparison, diffSteps } from './diff-steps.js';
import { withAlikeIds, withNamedIds } from './ids/issued-ids.js';
import { comparedInput, type PlacesByCall } from './ignore/ignored-places.js';
import { sameStep } from './match/identities.js';
import { type Matching, matchSteps } from './match/match-steps.js';
import { compareReplay } from './replays/compare-replay.js';
import { otherSide, recordedSide, type Side } from './replays/recorded-side.js';
import type { DiffResult, DiffStep } from './result.js';
import { redactSteps } from './trace/redact-steps.js';
import { sameSteps } from './trace/same-steps.js';
import { type SharedEnds, sharedEnds } from './trace/shared-ends.js';
import { LEFT_OUT, type Sides, stepsOf } from './trace/steps.js';

/** How two runs are compared. */
export interface DiffOptions {
  /**
   * JSON Pointers, from the root of a call's input, to what is not compared, by the calls that they are about:
   * `{ 'tool:search': ['/now'], 'llm:*': ['/messages/0/id'] }`. In both, `*` stands for anything.
   */
  readonly ignore?: PlacesByCall | undefined;
  /** Redaction rules beside the default ones. */
  readonly redact?: RedactOptions | undefined;
}

/** How runs are compared, beyond what is ignored. */
interface Terms {
  readonly rules: RedactOptions | undefined;
  /** The run that the other one is a replay of. */
  readonly recorded: Side | null;
}

/**
 * Says what two runs did differently: which calls they made, in which order, with which inputs and outcomes, which
 * states they went through and what they came to. Ids, times, durations and step numbers do not count, nor does the
 * order of calls that went on at the same time, nor, where one run is a replay of the other, what happened inside calls
 * that it answered from the recording. Secrets are redacted before anything is shown.
 *
 * @throws StepforkError `not_canonical` for a trace made by hand with a value nested deeper than 1,000; `bad_option`.
 */
export function diffTraces(baseline: Trace, candidate: Trace, options: DiffOptions = {}): DiffResult {
  const compared = comparedInput(options.ignore ?? {});
  const steps = (trace: Trace): Sides['a'] => stepsOf(trace, compared);
  const terms: Terms = { rules: options.redact, recorded: recordedSide(baseline, candidate) };
  const comparison = compare({ a: steps(baseline), b: steps(candidate) }, terms);
  const found = diffSteps({ a: baseline.events, b: candidate.events }, comparison);
  return resultOf(found, comparison, terms);
}

/** Whichever run is the baseline, the search goes the same way: swapped runs have the mirrored difference. */
function compare(sides: Sides, terms: Terms): Comparison {
  const shared = sharedEnds(sides);
  if (goesAsGiven(sides, shared)) return compareInOrder(sides, shared, terms);
  return mirrorComparison(compareInOrder(mirrorSides(sides), shared, mirrorTerms(terms)));
}

function goesAsGiven({ a, b }: Sides, { first, last }: SharedEnds): boolean {
  const x = first < a.length - last ? a[first] : undefined;
  const y = first < b.length - last ? b[first] : undefined;
  return x === undefined || (y !== undefined && sameStep.text(x) <= sameStep.text(y));
}

/** Runs from disk were redacted when they were recorded, so that a second search is rare. */
function compareInOrder(sides: Sides, shared: SharedEnds, { rules, recorded }: Terms): Comparison {
  const found = matchByIds(sides, shared);
  const { spine } = found.matching;
  // With ids named, other steps are the same than as the runs were recorded.
  const same = found.sides === sides ? found.same : sameSteps(sides, spine);
  const redacted = redactSteps(sides, { spine, same }, rules);
  const compareAgain = (rest: Sides): Comparison => matchByIds(rest, sharedEnds(rest));
  if (recorded !== null) return compareReplay(redacted ?? sides, recorded, compareAgain);
  return redacted === null ? found : compareAgain(redacted);
}

/** What ids a provider issued does not decide which calls are the same; which of them a call names does, afterwards. */
function matchByIds(sides: Sides, shared: SharedEnds): Comparison {
  const alike = withAlikeIds(sides, shared);
  if (alike === null) {
    const matching = match(sides, shared);
    return { sides, matching, same: sameSteps(sides, matching.spine) };
  }
  const matching = match(alike, sharedEnds(alike));
  const { spine, aside, moved } = matching;
  const named = withNamedIds(sides, [...spine, ...aside, ...moved]);
  return { sides: named, matching, same: sameSteps(named, spine) };
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

function mirrorTerms({ rules, recorded }: Terms): Terms {
  return { rules, recorded: recorded === null ? null : otherSide(recorded) };
}

function mirrorComparison({ sides, matching, same }: Comparison): Comparison {
  const { spine, aside, moved, exact } = matching;
  return {
    sides: mirrorSides(sides),
    matching: { spine: spine.map(mirrored), aside: aside.map(mirrored), moved: moved.map(mirrored), exact },
    same,
  };
}

function resultOf(steps: readonly DiffStep[], { sides, matching }: Comparison, { recorded }: Terms): DiffResult {
  const counts = { unchanged: 0, changed: 0, moved: 0, added: 0, removed: 0 };
  for (const { kind } of steps) counts[kind]++;
  const notReplayed = recorded === null ? 0 : sides[recorded].filter(({ type }) => type === LEFT_OUT).length;
  return {
    equivalent: counts.unchanged === steps.length,
    counts,
    steps,
    ...(matching.exact ? {} : { approximate: true }),
    ...(notReplayed === 0 ? {} : { notReplayed }),
  };
}
