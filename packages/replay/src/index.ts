export { type AssertOptions, assertReplay } from './assert.js';
export { type FormatOptions, formatReport } from './format.js';
export type { OrderPolicy } from './match/find-match.js';
export type { ReplayOptions } from './options.js';
export { createPlan, type PlanOptions, type ReplayPlan } from './plan/plan.js';
export type { Ambiguity, AnswerForm, LogPoint, PlannedCall } from './plan/planned-call.js';
export type { RecordedRun } from './plan/recorded-run.js';
export { type Entrypoint, replay } from './replay.js';
export type { CallView, Difference, Divergence, DivergenceCode, ReplayReport } from './report.js';
