import { isAborted } from '@stepfork/recorder/boundary';
import type { LogEntry } from '../delivery/recorded-log.js';
import { labelOf } from '../report/call-view.js';
import type { Divergence } from '../report.js';
import { refused } from './diverge.js';
import type { ReplayedCall } from './replayed-call.js';

/**
 * Whether a call's recorded outcome is the answer to an abort, and the agent has not aborted it. What it would have come to
 * then, the recording does not say.
 */
export function lacksAbort({ edge, call }: LogEntry, given: ReplayedCall | undefined): given is ReplayedCall {
  return edge === 'end' && call.isAborted && given !== undefined && !given.isReal && !isAborted(given.live.signals);
}

export function notAborted({ live, recorded }: ReplayedCall): Divergence {
  const reason =
    'was aborted before it answered, in the recording; here it was not, and the recording does not hold what it would have come to';
  return refused('unservable', live, recorded, reason);
}

/** A note on a call that was aborted here and not in the recording; null for any other. */
export function abortedHere({ live, recorded }: ReplayedCall): string | null {
  if (recorded === null || recorded.isAborted || !isAborted(live.signals)) return null;
  return `${labelOf(live)} (call #${live.number}) was aborted before its answer came, which it was not in the recording; it was given the recorded answer`;
}
