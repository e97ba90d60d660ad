import type { DiffResult } from '@stepfork/diff';
import { pairCalls, type Trace } from '@stepfork/trace-format';

/** Events that are compared as steps of their own; an answer is part of its call. */
const COMPARED: ReadonlySet<string> = new Set(['state_change', 'error', 'run_end']);

/**
 * A diff whose steps have the numbers that `inspect` shows and its `--step` takes. By itself a diff counts what it
 * compares.
 */
export function withStepNumbers(result: DiffResult, baseline: Trace, candidate: Trace): DiffResult {
  const [before, after] = [stepNumbers(baseline), stepNumbers(candidate)];
  const steps = result.steps.map((step) => ({
    ...step,
    baseline: step.baseline === null ? null : (before[step.baseline] ?? step.baseline),
    candidate: step.candidate === null ? null : (after[step.candidate] ?? step.candidate),
  }));
  return { ...result, steps };
}

/** By position among the compared steps. */
function stepNumbers({ events }: Trace): readonly number[] {
  const calls = new Set(pairCalls(events).map(({ position }) => position));
  return events.flatMap(({ type, step }, position) => (calls.has(position) || COMPARED.has(type) ? [step] : []));
}
