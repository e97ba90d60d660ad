import type { Trace } from '@stepfork/trace-format';
import type { RegressionCase } from './case.js';
import { redacted } from './redacted.js';

/** How a recorded run ended, redacted. */
export type RecordedRun = Pick<RegressionCase, 'recordedOutput' | 'recordedEnd' | 'recordedFailure'>;

export function recordedRun(trace: Trace): RecordedRun {
  const end = trace.events.findLast((event) => event.type === 'run_end');
  const failure =
    trace.failure === null ? null : { type: trace.failure.type, message: String(redacted(trace.failure.message)) };
  return {
    recordedOutput: redacted(end?.output ?? null),
    recordedEnd: failure !== null ? 'failed' : end === undefined ? 'unknown' : 'returned',
    recordedFailure: failure,
  };
}
