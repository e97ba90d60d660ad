export { type DiffOptions, diffTraces } from './diff-traces.js';
export { formatDiff } from './format/format-diff.js';
export type { PlacesByCall } from './ignore/ignored-places.js';
export { only as onlyPlaces, type Place, without as withoutPlace } from './ignore/places.js';
export { type NamedCall, parseSelector, type Selector } from './ignore/selector.js';
export type { DiffResult, DiffStep, ValueChange } from './result.js';
export { compareValues, firstDifference } from './value/compare-values.js';
