import type { Json } from '@stepfork/trace-format';
import type { ExpectedError, RegressionCase } from './case.js';

/** How a test wants the run to end. */
export type ExpectedEnd =
  /** It returns exactly this. */
  | { readonly kind: 'output'; readonly value: Json }
  /** It returns what has this in it. */
  | { readonly kind: 'match'; readonly value: Json }
  | { readonly kind: 'error'; readonly error: ExpectedError }
  /** Nothing was stated: it returns what was recorded. */
  | { readonly kind: 'recorded-output'; readonly value: Json }
  /** Nothing was stated: it fails as it was recorded. */
  | { readonly kind: 'recorded-error'; readonly error: ExpectedError }
  /** What was stated is about the calls alone, the recorded run did not end, or no output of it was recorded. */
  | { readonly kind: 'any' };

/** The end that a test of this case has to judge. */
export function expectedEnd(regression: RegressionCase): ExpectedEnd {
  const { expected, match, error, trajectory, same, recordedEnd, recordedFailure, recordedOutput } = regression;
  if (expected !== undefined) return { kind: 'output', value: expected };
  if (match !== undefined) return { kind: 'match', value: match };
  if (error !== undefined) return { kind: 'error', error };
  if ((trajectory !== undefined && same !== true) || recordedEnd === 'unknown') return { kind: 'any' };
  if (recordedFailure !== null) return { kind: 'recorded-error', error: { type: recordedFailure.type } };
  // A process that was recorded as a whole returned nothing; what its code returns on replay is no change of it.
  return recordedOutput === null ? { kind: 'any' } : { kind: 'recorded-output', value: recordedOutput };
}
