import {
  assertMaxSteps,
  assertToolArguments,
  assertToolCalled,
  assertToolNotCalled,
  assertToolSequence,
  assertTrajectory,
  type ReplayReport,
  type ToolSequenceOptions,
  type TrajectoryExpectation,
  trajectoryOf,
} from '@stepfork/replay';
import { displayText, isStepforkError } from '@stepfork/trace-format';
import type { Check } from './check.js';
import { assertReport, notJudged } from './check.js';

/*
 * The trajectory assertions of @stepfork/replay, as checks. What is expected is looked at first (`bad_expectation`); a
 * replay that diverged or stalled is not judged.
 */

/** Whether the run called the tool; where arguments are given, with exactly these, in any of its calls. */
export function checkCalledTool(report: unknown, name: string, args?: unknown): Check {
  assertReport(report, 'toHaveCalledTool');
  return args === undefined
    ? check(
        () => assertToolCalled(report, name),
        () => check(() => assertToolNotCalled(report, name)).message,
      )
    : check(
        () => assertToolArguments(report, name, args),
        () => calledAllTheSame(report, name, args),
      );
}

/** Whether these tools were called in this order, and no others unless `strict` is false. */
export function checkCalledTools(report: unknown, names: readonly string[], options?: ToolSequenceOptions): Check {
  assertReport(report, 'toHaveCalledTools');
  return check(
    () => assertToolSequence(report, names, options),
    () => `expected the run not to call ${names.map(quoted).join(', ')} in this order, but it did`,
  );
}

/** Whether the run made at most so many calls, of tools and of models. */
export function checkTakenAtMost(report: unknown, most: number): Check {
  assertReport(report, 'toHaveTakenAtMost');
  return check(
    () => assertMaxSteps(report, most),
    () => `expected more than ${most} calls of tools and models, but the run made ${report.calls.length}`,
  );
}

/** Whether the run's calls are as a whole expectation states them. */
export function checkTrajectory(report: unknown, expectation: TrajectoryExpectation): Check {
  assertReport(report, 'toHaveTrajectory');
  return check(
    () => assertTrajectory(report, expectation),
    () => 'expected the run to take other steps than these, but it took them',
  );
}

/** @param opposite why the opposite is false, where the assertion holds */
function check(assertion: () => void, opposite = (): string => ''): Check {
  try {
    assertion();
  } catch (error) {
    if (!isStepforkError(error, 'assertion_failed')) throw error;
    const { failed } = error.details as { readonly failed: readonly string[] };
    return failed.length === 0 ? notJudged(error.message) : { pass: false, message: error.message };
  }
  return { pass: true, message: opposite() };
}

function calledAllTheSame(report: ReplayReport, name: string, args: unknown): string {
  const numbers = trajectoryOf(report).flatMap((step, index) =>
    step.kind === 'tool' && step.name === name ? [index + 1] : [],
  );
  const alike = numbers.filter(
    (_, index) => check(() => assertToolArguments(report, name, args, { occurrence: index + 1 })).pass,
  );
  const which = `${alike.length === 1 ? 'call' : 'calls'} ${alike.map((number) => `#${number}`).join(', ')}`;
  return `expected tool ${quoted(name)} not to be called with these arguments, but ${which} had them`;
}

function quoted(name: string): string {
  return `'${displayText(name)}'`;
}
