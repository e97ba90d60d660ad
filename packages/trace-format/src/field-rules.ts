import { isWellFormed } from './json/well-formed.js';
import { parseTimestamp } from './timestamp.js';

/** What schema 0.1 allows in a field. Hand-written: the write path must not evaluate zod. */
export type Rule = (value: unknown) => boolean;

const ZONED_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Text that is not empty and can be written as UTF-8. */
export const isText: Rule = (value) => typeof value === 'string' && value !== '' && isWellFormed(value);
export const isCount: Rule = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
export const isAmount: Rule = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
/** As this implementation writes it: ISO 8601 with seconds and a zone. */
export const isTimestamp: Rule = (value) =>
  typeof value === 'string' && ZONED_TIMESTAMP.test(value) && parseTimestamp(value) !== null;
export const isTextList: Rule = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' && isWellFormed(item));

export const orNull =
  (rule: Rule): Rule =>
  (value) =>
    value === null || rule(value);

export const oneOf =
  (values: readonly string[]): Rule =>
  (value) =>
    values.includes(value as string);
