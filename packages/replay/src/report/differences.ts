import { compareValues } from '@stepfork/diff';
import type { Json } from '@stepfork/trace-format';
import type { Difference } from '../report.js';

/** At most this many are reported: a changed prompt may differ in thousands of places. */
export const MOST_DIFFERENCES = 20;

/** Where a live input differs from a recorded one, in document order. */
export function differencesOf(recorded: Json, actual: Json): readonly Difference[] {
  return compareValues(recorded, actual).map(({ path, kind, before, after }) => ({
    path,
    kind,
    recorded: before,
    actual: after,
  }));
}
