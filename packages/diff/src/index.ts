export { type DiffOptions, diffTraces } from './diff-traces.js';
export { formatDiff } from './format/format-diff.js';
export type { PlacesByCall } from './ignore/ignored-places.js';
export type { DiffResult, DiffStep, ValueChange } from './result.js';
export { compareValues, firstDifference } from './value/compare-values.js';
