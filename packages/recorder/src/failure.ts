import { displayText, isStepforkError, StepforkError } from '@stepfork/trace-format/write';
import { answerOf } from './boundary/callback.js';
import { describe } from './boundary/describe.js';
import { describeThrown } from './boundary/thrown.js';
import { warnOnce } from './boundary/warning.js';
import type { RecordingOptions } from './options.js';

/** Tells of a failure of the recorder where an operator sees it, and never the agent. */
export function reportFailure(agentName: string, failure: StepforkError, onError: RecordingOptions['onError']): void {
  warnOnce(failure.code, describe({ kind: 'agent', name: agentName }), failure.message);
  try {
    answerOf(onError?.(failure));
  } catch {
    // The agent's result wins over a listener's error too.
  }
}

/** Whatever went wrong in the recorder, as one line that says what that means for the recording. */
export function recorderFailure(cause: unknown, consequence: string): StepforkError {
  const reason = isStepforkError(cause) ? cause.message : describeThrown(cause).message;
  const details = isStepforkError(cause) ? { code: cause.code } : {};
  return new StepforkError('recording_failed', `${consequence}: ${displayText(reason)}`, { cause, details });
}

/** The recording goes on without its calls, because it has become as large as it may. */
export function truncation(agentName: string, reason: 'events' | 'bundle_bytes', path: string): StepforkError {
  const limit = reason === 'events' ? 'limits.events' : 'limits.bundleBytes';
  const message = `the recording of agent '${agentName}' reached ${limit}; ${path} lacks the calls from here on: raise the limit`;
  return new StepforkError('recording_truncated', message, { details: { limit, file: path } });
}
