import type { RegressionCase } from './case.js';
import { comparable } from './comparable.js';
import { mismatchLine } from './mismatch.js';
import { statedPart } from './runtime/stated-part.js';

/** What a case states of an output, and what was recorded. */
export type StatedOutput = Pick<RegressionCase, 'expected' | 'match' | 'recordedOutput' | 'recordedEnd'>;

/** Where the recorded output is not the stated one, in a line; null where it is, and where nothing is stated. */
export function recordedMismatch({ expected, match, recordedOutput }: StatedOutput): string | null {
  if (expected !== undefined) return mismatchLine(comparable(expected), comparable(recordedOutput));
  if (match === undefined) return null;
  return mismatchLine(comparable(match), comparable(statedPart(recordedOutput, match)));
}

/**
 * Whether the stated output is the recorded one, so that the test tells nothing of a failure: most likely a draft of
 * `stepfork expect` that nobody edited.
 */
export function expectsRecorded(regression: StatedOutput): boolean {
  const states = regression.expected !== undefined || regression.match !== undefined;
  return states && regression.recordedEnd === 'returned' && recordedMismatch(regression) === null;
}
