import type { RedactOptions } from '@stepfork/redact';
import type { ReplayReport } from '../report.js';
import { calledWith } from './checks/arguments.js';
import { called, calledTimes, notCalled, stepsAtMost } from './checks/numbers.js';
import { amongOthers, exactly, inOrder } from './checks/order.js';
import { booleanAt, fieldsAt, nameAt, numberAt, sequenceAt } from './demand.js';
import { parseExpectation, type TrajectoryExpectation } from './expectation.js';
import { expectedInput } from './expected-input.js';
import { judge } from './judge.js';

/*
 * Each of these looks at what is expected (`bad_expectation`), then at the report (`not_a_report`); then it fails
 * (`assertion_failed`) for a replay that diverged or stalled, and for calls that are not as expected.
 */

/** Throws unless the replayed run called the tool, whatever came of the call. */
export function assertToolCalled(report: ReplayReport, name: string): void {
  judge(report, [called(nameAt(name, 'name'))], assertToolCalled);
}

/** Throws if the replayed run called the tool. */
export function assertToolNotCalled(report: ReplayReport, name: string): void {
  judge(report, [notCalled(nameAt(name, 'name'))], assertToolNotCalled);
}

/** Throws unless the replayed run called the tool exactly so many times. */
export function assertToolCallCount(report: ReplayReport, name: string, count: number): void {
  judge(report, [calledTimes(nameAt(name, 'name'), numberAt(count, 'count', 0))], assertToolCallCount);
}

/** How expected arguments are compared. */
export interface ToolArgumentsOptions {
  /** 1-based number of the call among the tool's own. Without it, any of them may have the arguments. */
  readonly occurrence?: number | undefined;
  /** What `replay` was given as option `redact`, where it was given one. */
  readonly redact?: RedactOptions | undefined;
}

/**
 * Throws unless the tool was called with exactly these arguments: the call's input, as `stepfork inspect` shows it
 * (`{ args: [...] }` for several arguments, or for one that is no plain object), or with the values themselves in it.
 * Secrets are redacted before they are compared.
 */
export function assertToolArguments(
  report: ReplayReport,
  name: string,
  expected: unknown,
  options: ToolArgumentsOptions = {},
): void {
  fieldsAt(options, 'options', ['occurrence', 'redact']);
  const { occurrence, redact } = options;
  const tool = nameAt(name, 'name');
  const number = occurrence === undefined ? null : numberAt(occurrence, 'option occurrence', 1);
  judge(report, [calledWith(tool, expectedInput(tool, expected, redact), number)], assertToolArguments);
}

/**
 * Throws unless some call of the first tool has a call of the second one after it. With one name for both, the tool
 * has to be called twice.
 */
export function assertToolOrder(report: ReplayReport, first: string, second: string): void {
  judge(report, [inOrder(nameAt(first, 'first'), nameAt(second, 'second'))], assertToolOrder);
}

/** How a sequence is meant. */
export interface ToolSequenceOptions {
  /** Default true: these tools and no others. false: others may be called in between, before and after. */
  readonly strict?: boolean | undefined;
}

/** Throws unless the tools were called in this order. */
export function assertToolSequence(
  report: ReplayReport,
  names: readonly string[],
  options: ToolSequenceOptions = {},
): void {
  fieldsAt(options, 'options', ['strict']);
  const { strict = true } = options;
  const wanted = sequenceAt(names, 'names');
  judge(report, [booleanAt(strict, 'option strict') ? exactly(wanted) : amongOthers(wanted)], assertToolSequence);
}

/** Throws if the replayed run made more calls than this, of tools and models together. */
export function assertMaxSteps(report: ReplayReport, most: number): void {
  judge(report, [stepsAtMost(numberAt(most, 'most', 0))], assertMaxSteps);
}

/** How an expectation's arguments are compared. */
export interface TrajectoryOptions {
  /** What `replay` was given as option `redact`, where it was given one. */
  readonly redact?: RedactOptions | undefined;
}

/**
 * Throws unless the replayed run is as a whole expectation states it, naming all that is otherwise. The expectation
 * may come from a JSON file; all of it is checked before anything is asserted.
 */
export function assertTrajectory(
  report: ReplayReport,
  expectation: TrajectoryExpectation,
  options: TrajectoryOptions = {},
): void {
  fieldsAt(options, 'options', ['redact']);
  judge(report, parseExpectation(expectation, options.redact), assertTrajectory);
}
