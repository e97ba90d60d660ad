import type { RegressionCase } from './case.js';
import { recordedMismatch } from './expects-recorded.js';
import { preview } from './mismatch.js';

type Known = Pick<
  RegressionCase,
  'expected' | 'match' | 'error' | 'trajectory' | 'recordedOutput' | 'recordedEnd' | 'recordedFailure'
>;

/** One line: what the recorded run did wrong. */
export function problemOf(known: Known): string {
  const { recordedFailure, recordedEnd, recordedOutput, expected, match, error, trajectory } = known;
  if (recordedFailure !== null) return `the run failed with ${recordedFailure.type}: ${recordedFailure.message}`;
  if (expected === undefined && match === undefined && error === undefined) {
    return trajectory === undefined
      ? 'not stated: no expectation was given, so this test pins what was recorded'
      : 'not stated: the expectation is about the calls alone';
  }
  if (recordedEnd === 'unknown') return 'the run did not end';
  if (error !== undefined) return `the run should have thrown ${error.type}, but returned ${preview(recordedOutput)}`;
  const mismatch = recordedMismatch(known);
  return mismatch ?? 'nothing: the recorded output is the expected one';
}
