import type { Json } from '@stepfork/trace-format';
import type { RegressionCase } from './case.js';
import { comparable } from './comparable.js';
import { mismatchLine, preview } from './mismatch.js';
import { statedPart } from './runtime/stated-part.js';

type Known = Pick<
  RegressionCase,
  'expected' | 'match' | 'error' | 'trajectory' | 'recordedOutput' | 'recordedEnd' | 'recordedFailure'
>;

/** One line: what the recorded run did wrong. */
export function problemOf({ recordedFailure, recordedEnd, recordedOutput, ...stated }: Known): string {
  const { expected, match, error, trajectory } = stated;
  if (recordedFailure !== null) return `the run failed with ${recordedFailure.type}: ${recordedFailure.message}`;
  if (expected === undefined && match === undefined && error === undefined) {
    return trajectory === undefined
      ? 'not stated: no expectation was given, so this test pins what was recorded'
      : 'not stated: the expectation is about the calls alone';
  }
  if (recordedEnd === 'unknown') return 'the run did not end';
  if (error !== undefined) return `the run should have thrown ${error.type}, but returned ${preview(recordedOutput)}`;
  const wanted = expected === undefined ? (match as Json) : expected;
  const mismatch = mismatchLine(
    comparable(wanted),
    comparable(expected === undefined ? statedPart(recordedOutput, wanted) : recordedOutput),
  );
  return mismatch ?? 'nothing: the recorded output is the expected one';
}
