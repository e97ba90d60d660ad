export { diffTraces } from './diff-traces.js';
export { formatDiff } from './format/format-diff.js';
export type { DiffResult, DiffStep, ValueChange } from './result.js';
export { compareValues, firstDifference } from './value/compare-values.js';
