export { type AssertOptions, assertReplay } from './assert.js';
export type { RecordedRead } from './clock/recorded-reads.js';
export type { RecordedStart } from './clock/recorded-start.js';
export type { Now } from './clock/run-clock.js';
export { type FormatOptions, formatReport } from './format.js';
export type { OrderPolicy } from './match/find-match.js';
export type { Approval, PendingCall, ReplayMode } from './mode/mode.js';
export type { ModeOptions } from './mode/parse-mode.js';
export type { CandidateOptions, ReplayOptions } from './options.js';
export { createPlan, type PlanOptions, type ReplayPlan } from './plan/plan.js';
export type { Ambiguity, AnswerForm, LogPoint, PlannedCall } from './plan/planned-call.js';
export type { PlannedStream } from './plan/planned-stream.js';
export type { RecordedRun } from './plan/recorded-run.js';
export type { RunRemarks } from './plan/remarks.js';
export type { Entrypoint } from './prepare.js';
export { replay } from './replay.js';
export { ReplaySession, type SessionOptions } from './replay-session.js';
export type { CallView, Difference, Divergence, DivergenceCode, ReplayReport } from './report.js';
export { isReplayRefusal } from './session/unhandled.js';
export {
  assertMaxSteps,
  assertToolArguments,
  assertToolCallCount,
  assertToolCalled,
  assertToolNotCalled,
  assertToolOrder,
  assertToolSequence,
  assertTrajectory,
  type ToolArgumentsOptions,
  type ToolSequenceOptions,
  type TrajectoryOptions,
} from './trajectory/assertions.js';
export { type ExpectedArguments, parseExpectation, type TrajectoryExpectation } from './trajectory/expectation.js';
export { type TrajectoryStep, trajectoryOf } from './trajectory/trajectory.js';
export type { PlacesByCall, Volatility, VolatilityOptions } from './volatile/volatility.js';
