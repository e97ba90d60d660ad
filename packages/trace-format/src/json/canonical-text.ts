import { canonicalEntry } from './canonical.js';
import { parseInArray } from './lossless-parser.js';

/**
 * Canonical text of JSON text: what the original computes for the parsed value, floats kept floats.
 *
 * @throws StepforkError `invalid_json` or `not_canonical`.
 */
export function canonicalJsonText(text: string): string {
  return canonicalEntry(parseInArray(text, false), '0');
}
