import type { Comparison } from '../diff-steps.js';
import type { Sides, Step } from '../trace/steps.js';
import { callsWithBody, insideOf, leaveOut } from './bodies.js';
import { otherSide, type Side } from './recorded-side.js';

interface LeftOut {
  readonly side: Side;
  /** That side's, as they were. */
  readonly steps: readonly Step[];
  readonly out: Uint8Array;
}

/** How often bodies that did not run are looked for, for one diff: a limit for runs made to be slow. */
const MOST_ROUNDS = 8;

/**
 * Compares a run with its replay. What happened inside a recorded call is left out where the call's counterpart in the
 * replay has nothing inside: that call was answered from the recording, and no body ran.
 *
 * @param compare finds counterparts, and compares them
 */
export function compareReplay(sides: Sides, recorded: Side, compare: (sides: Sides) => Comparison): Comparison {
  const replayed = otherSide(recorded);
  const steps = sides[recorded];
  const ran = callsWithBody(sides[replayed]);
  const compareWithout = (left: Uint8Array): Comparison => compare(withSide(sides, recorded, leaveOut(steps, left)));

  // A replay runs bodies by the names of calls. Left out from the start, what never ran is no call's counterpart.
  let out = insideOf(steps, callsOfLabels(steps, labelsWithoutBody(sides[replayed], ran)));
  let comparison = compareWithout(out);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { spine, aside, moved } = comparison.matching;
    const answered = new Uint8Array(steps.length);
    for (const pairs of [spine, aside, moved]) {
      for (const pair of pairs) if (ran[pair[replayed]] === 0) answered[pair[recorded]] = 1;
    }
    const inside = insideOf(steps, answered);
    const isMore = inside.some((flag, index) => flag > (out[index] as number));
    const isFree = spine.length + aside.length + moved.length < sides[replayed].length;
    // Bodies of calls that the replay did not make take part after all; there may be nothing to compare them with.
    if (!isMore && (round > 0 || !isFree || isSame(inside, out))) {
      return leftOutExactly(comparison, { side: recorded, steps, out: inside });
    }
    const before = out;
    out = round === 0 ? inside : inside.map((flag, index) => flag | (before[index] as number));
    comparison = compareWithout(out);
  }
  return { ...comparison, matching: { ...comparison.matching, exact: false } };
}

/** What was left out for the search and is not to be, takes part again, as it was; nothing is its counterpart. */
function leftOutExactly(found: Comparison, { side, steps, out }: LeftOut): Comparison {
  const typed = found.sides[side].map((step, index): Step => ({ ...step, type: (steps[index] as Step).type }));
  return { ...found, sides: withSide(found.sides, side, leaveOut(typed, out)) };
}

function withSide({ a, b }: Sides, side: Side, steps: readonly Step[]): Sides {
  return side === 'a' ? { a: steps, b } : { a, b: steps };
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.every((flag, index) => flag === other[index]);
}

/** Calls by these names never ran in the replay. */
function labelsWithoutBody(steps: readonly Step[], ran: Uint8Array): ReadonlySet<string> {
  const labels = new Set(steps.map(nameOf));
  for (const [index, step] of steps.entries()) if (ran[index] === 1) labels.delete(nameOf(step));
  return labels;
}

function callsOfLabels(steps: readonly Step[], labels: ReadonlySet<string>): Uint8Array {
  return Uint8Array.from(steps, (step) => (labels.has(nameOf(step)) ? 1 : 0));
}

function nameOf({ type, label }: Step): string {
  return `${type} ${label}`;
}
