import type { Json } from '@stepfork/trace-format/write';
import type { ValueChange } from '../result.js';
import { isSameValue } from './same-value.js';
import { walkChanges } from './walk-changes.js';

/**
 * Every leaf at which two values differ, keys in code-point order, lists by index. The root's path is `$`, below it
 * `a.b[0]`. What one side does not have is one change, whole, with null for the side that has none.
 */
export function compareValues(a: Json, b: Json): readonly ValueChange[] {
  return isSameValue(a, b) ? [] : walkChanges(a, b);
}

/** The first of `compareValues(a, b)`, without looking further; null for equal values. */
export function firstDifference(a: Json, b: Json): ValueChange | null {
  return walkChanges(a, b, 1)[0] ?? null;
}
