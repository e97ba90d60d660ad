import { sha256 } from '../hash.js';
import type { Json } from '../json.js';
import { canonicalJson } from './canonical.js';

/**
 * SHA-256 of the value's canonical text, 64 lower-case hex digits.
 *
 * @throws StepforkError `not_canonical`, as `canonicalJson`.
 */
export function hashJson(value: Json): string {
  return sha256(canonicalJson(value));
}
