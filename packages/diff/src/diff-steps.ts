import type { TraceEvent } from '@stepfork/trace-format/write';
import type { Pair } from './align/pair.js';
import type { Matching } from './match/match-steps.js';
import type { DiffStep, ValueChange } from './result.js';
import type { Flags } from './trace/same-steps.js';
import { type ComparedStep, LEFT_OUT, type Sides, type Step } from './trace/steps.js';
import { compareValues } from './value/compare-values.js';

/** Two runs without their secrets, and which of their steps are counterparts. */
export interface Comparison {
  readonly sides: Sides;
  readonly matching: Matching;
  /** Whether the steps of each pair of the spine are the same in everything. */
  readonly same: Flags;
}

/** What happened in each run. */
interface Events {
  readonly a: readonly TraceEvent[];
  readonly b: readonly TraceEvent[];
}

/** Most steps have none. */
const NONE: readonly ValueChange[] = Object.freeze([]);

/** The steps of both runs as one list: in the candidate's order, with each step that is gone where it would have come. */
export function diffSteps(events: Events, { sides, matching, same }: Comparison): readonly DiffStep[] {
  const { a, b } = sides;
  const { spine, aside, moved } = matching;
  const { removed, added, unchanged, paired } = rowsOf(events, sides);
  const matchedA = new Set([...aside, ...moved].map((pair) => pair.a));
  const byB = new Map<number, DiffStep>();
  for (const pair of aside) byB.set(pair.b, paired(pair));
  for (const pair of moved) byB.set(pair.b, { ...paired(pair), kind: 'moved' });

  const steps: DiffStep[] = [];
  let nextA = 0;
  let nextB = 0;
  const fill = (toA: number, toB: number): void => {
    for (; nextA < toA; nextA++) if (!matchedA.has(nextA) && takesPart(a, nextA)) steps.push(removed(nextA));
    for (; nextB < toB; nextB++) if (takesPart(b, nextB)) steps.push(byB.get(nextB) ?? added(nextB));
  };
  for (let at = 0; at < spine.length; at++) {
    const pair = spine[at] as Pair;
    fill(pair.a, pair.b);
    steps.push(same[at] === 1 ? unchanged(pair) : paired(pair));
    nextA++;
    nextB++;
  }
  fill(a.length, b.length);
  return steps;
}

function takesPart(steps: readonly Step[], index: number): boolean {
  return (steps[index] as Step).type !== LEFT_OUT;
}

/** Makes the steps of the result. */
function rowsOf(events: Events, { a, b }: Sides) {
  const row = (
    kind: DiffStep['kind'],
    { type, label }: ComparedStep,
    baseline: number | null,
    candidate: number | null,
    changes: DiffStep['changes'],
  ): DiffStep => ({
    kind,
    type,
    label,
    baseline,
    candidate,
    baselineStep: baseline === null ? null : numberOf(events.a, a[baseline] as Step),
    candidateStep: candidate === null ? null : numberOf(events.b, b[candidate] as Step),
    changes,
  });
  return {
    removed: (at: number): DiffStep => row('removed', a[at] as ComparedStep, at, null, NONE),
    added: (at: number): DiffStep => row('added', b[at] as ComparedStep, null, at, NONE),
    unchanged: (pair: Pair): DiffStep => row('unchanged', a[pair.a] as ComparedStep, pair.a, pair.b, NONE),
    paired: (pair: Pair): DiffStep => {
      const before = a[pair.a] as ComparedStep;
      const changes = changesOf(before, b[pair.b] as Step);
      if (changes.length === 0) return row('unchanged', before, pair.a, pair.b, NONE);
      return row('changed', before, pair.a, pair.b, changes);
    },
  };
}

function numberOf(events: readonly TraceEvent[], { began }: Step): number {
  return (events[began] as TraceEvent).step;
}

function changesOf(before: Step, after: Step): readonly ValueChange[] {
  const changes = compareValues(before.fields, after.fields);
  if (before.label === after.label) return changes;
  return [{ path: 'label', kind: 'changed', before: before.label, after: after.label }, ...changes];
}
