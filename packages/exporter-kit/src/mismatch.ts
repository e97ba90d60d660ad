import type { ValueChange } from '@stepfork/diff';
import { firstDifference } from '@stepfork/diff';
import type { Json } from '@stepfork/trace-format';
import { displayText } from '@stepfork/trace-format';
import safeStringify from 'safe-stable-stringify';
import { isUndefined } from './comparable.js';

/** Characters of a value that a message shows. */
const LIMIT = 200;

/**
 * `behavior mismatch at 'should_notify': expected true, got false`, for the first place at which two comparable values
 * differ; null when they are the same.
 */
export function mismatchLine(expected: Json, actual: Json): string | null {
  const difference = firstDifference(expected, actual);
  if (difference === null) return null;
  const { wanted, got } = sides(difference);
  return `behavior mismatch at '${displayText(difference.path)}': expected ${wanted}, got ${got}`;
}

function sides({ kind, before, after }: ValueChange): { readonly wanted: string; readonly got: string } {
  return {
    wanted: kind === 'added' ? 'nothing' : preview(before),
    got: kind === 'removed' ? 'nothing' : preview(after),
  };
}

/** A value on one line, fit for a terminal. */
export function preview(value: Json): string {
  if (isUndefined(value)) return 'undefined';
  const text = Object.is(value, -0) ? '-0' : (safeStringify(value) ?? 'undefined');
  return displayText(text.length > LIMIT ? `${text.slice(0, LIMIT)}…` : text);
}
