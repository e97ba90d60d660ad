import type { ToolSequenceOptions, TrajectoryExpectation } from '@stepfork/replay';
import type { Check } from './check.js';
import { checkMatch, checkOutput } from './check-output.js';
import { checkReplayed } from './check-replayed.js';
import { checkThrown } from './check-thrown.js';
import { checkCalledTool, checkCalledTools, checkTakenAtMost, checkTrajectory } from './check-trajectory.js';

/**
 * What a test asks of a replay, each by the name of its matcher. All but the first fail where the calls diverged,
 * whatever the agent made of the error, and so do their opposites.
 */
export interface StepforkMatchers<R> {
  /** The agent made the recorded calls, all of them and no others. */
  toHaveReplayed(): R;
  /** The run came to exactly this output, both sides redacted alike. */
  toHaveOutput(expected: unknown): R;
  /** The same, of objects only the properties stated here; lists item by item, in their whole length. */
  toMatchOutput(expected: unknown): R;
  /** The agent threw an error of this name, the given text in its message. */
  toHaveThrown(type: string, message?: string | RegExp): R;
  /** The run called the tool; where arguments are given, with exactly these, in any of its calls. */
  toHaveCalledTool(name: string, args?: unknown): R;
  /** The run called these tools in this order, and no others unless `strict` is false. */
  toHaveCalledTools(names: readonly string[], options?: ToolSequenceOptions): R;
  /** The run made no more calls than this, of tools and models together. */
  toHaveTakenAtMost(calls: number): R;
  /** The run's calls are as this states them, all of it. */
  toHaveTrajectory(expectation: TrajectoryExpectation): R;
}

type Checks = {
  readonly [Name in keyof StepforkMatchers<Check>]: (
    report: unknown,
    ...expected: Parameters<StepforkMatchers<Check>[Name]>
  ) => Check;
};

/** The check behind each matcher. */
export const CHECKS: Checks = {
  toHaveReplayed: checkReplayed,
  toHaveOutput: checkOutput,
  toMatchOutput: checkMatch,
  toHaveThrown: checkThrown,
  toHaveCalledTool: checkCalledTool,
  toHaveCalledTools: checkCalledTools,
  toHaveTakenAtMost: checkTakenAtMost,
  toHaveTrajectory: checkTrajectory,
};

/** A matcher as `expect.extend` takes it. */
export type Matcher<Context, Result> = (this: Context, received: unknown, ...expected: unknown[]) => Result;

/**
 * The matchers of a framework that has `expect.extend` as vitest and jest have it.
 *
 * @param told what the framework is told of a check; `context` is what it calls its matchers in
 */
export function createMatchers<Context, Result>(
  told: (check: Check, context: Context) => Result,
): Record<string, Matcher<Context, Result>> {
  const checks: readonly [string, (report: unknown, ...expected: never[]) => Check][] = Object.entries(CHECKS);
  return Object.fromEntries(
    checks.map(([name, check]) => [
      name,
      function (this: Context, received, ...expected) {
        return told(check(received, ...(expected as never[])), this);
      } satisfies Matcher<Context, Result>,
    ]),
  );
}
