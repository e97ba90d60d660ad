export type { ChunkRedactor, RedactedChunk } from './chunks/chunk-redactor.js';
export type { RedactFunction, RedactOptions, RedactPlace, RulesetName } from './options.js';
export type { RedactedValue, Redactor } from './redactor.js';
export { createRedactor } from './redactor.js';
export { REDACTED } from './replacement.js';
export type { StatedRules } from './stated-rules.js';
export { redactOptionsOf } from './stated-rules.js';
