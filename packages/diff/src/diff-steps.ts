import type { Pair } from './align/pair.js';
import type { Matching } from './match/match-steps.js';
import type { DiffStep, ValueChange } from './result.js';
import type { Flags } from './trace/same-steps.js';
import type { Sides, Step } from './trace/steps.js';
import { compareValues } from './value/compare-values.js';

/** Most steps have none. */
const NONE: readonly ValueChange[] = Object.freeze([]);

/**
 * The steps of both runs as one list: in the candidate's order, with each step that is gone where it would have come.
 *
 * @param same which pairs of the spine are the same in everything
 */
export function diffSteps(sides: Sides, { spine, aside, moved }: Matching, same: Flags): readonly DiffStep[] {
  const { a, b } = sides;
  const matchedA = new Set([...aside, ...moved].map((pair) => pair.a));
  const byB = new Map<number, DiffStep>();
  for (const pair of aside) byB.set(pair.b, pairedStep(sides, pair));
  for (const pair of moved) byB.set(pair.b, { ...pairedStep(sides, pair), kind: 'moved' });

  const steps: DiffStep[] = [];
  let nextA = 0;
  let nextB = 0;
  const fill = (toA: number, toB: number): void => {
    for (; nextA < toA; nextA++) if (!matchedA.has(nextA)) steps.push(removedStep(a[nextA] as Step, nextA));
    for (; nextB < toB; nextB++) steps.push(byB.get(nextB) ?? addedStep(b[nextB] as Step, nextB));
  };
  for (let at = 0; at < spine.length; at++) {
    const pair = spine[at] as Pair;
    fill(pair.a, pair.b);
    steps.push(same[at] === 1 ? unchangedStep(a[pair.a] as Step, pair) : pairedStep(sides, pair));
    nextA++;
    nextB++;
  }
  fill(a.length, b.length);
  return steps;
}

function unchangedStep({ type, label }: Step, pair: Pair): DiffStep {
  return { kind: 'unchanged', type, label, baseline: pair.a, candidate: pair.b, changes: NONE };
}

function pairedStep({ a, b }: Sides, pair: Pair): DiffStep {
  const before = a[pair.a] as Step;
  const after = b[pair.b] as Step;
  const changes = changesOf(before, after);
  if (changes.length === 0) return unchangedStep(before, pair);
  return { kind: 'changed', type: before.type, label: before.label, baseline: pair.a, candidate: pair.b, changes };
}

function changesOf(before: Step, after: Step): readonly ValueChange[] {
  const changes = compareValues(before.fields, after.fields);
  if (before.label === after.label) return changes;
  return [{ path: 'label', kind: 'changed', before: before.label, after: after.label }, ...changes];
}

function removedStep({ type, label }: Step, at: number): DiffStep {
  return { kind: 'removed', type, label, baseline: at, candidate: null, changes: NONE };
}

function addedStep({ type, label }: Step, at: number): DiffStep {
  return { kind: 'added', type, label, baseline: null, candidate: at, changes: NONE };
}
