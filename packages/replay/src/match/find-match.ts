import type { CalledFunction, CallIdentity } from '../plan/key.js';
import type { PlannedCall } from '../plan/planned-call.js';
import type { Match, Matcher } from './matcher.js';
import { equalUnderRedaction } from './under-redaction.js';

/**
 * How a live call is matched. `recorded` and `any`: by its key, in its frame; they differ in when outcomes are
 * delivered. `strict`: one cursor over all calls, as the Python original has.
 */
export type OrderPolicy = 'recorded' | 'strict' | 'any';

type Live = CallIdentity & { readonly fingerprint: string };

/** The recorded call that answers a live one of the given frame, or null. Nothing is taken. */
export function findMatch(matcher: Matcher, order: OrderPolicy, frame: number | null, live: Live): Match | null {
  if (order === 'strict') {
    const call = matcher.nextExpected();
    return call !== null && answers(call, live) ? { call, reparented: false } : null;
  }
  return matcher.find(frame, live.fingerprint) ?? matcher.search(frame, (call) => answersUnderRedaction(call, live));
}

/** The next recorded call of a function that may be called with any input. */
export function findFunction(matcher: Matcher, order: OrderPolicy, frame: number | null, live: Live): Match | null {
  if (order !== 'strict') return matcher.search(frame, (call) => isSameFunction(call, live));
  const call = matcher.nextExpected();
  return call !== null && isSameFunction(call, live) ? { call, reparented: false } : null;
}

/** Whether the recorded call is of the live one's function. */
export function isSameFunction(recorded: CalledFunction, live: CalledFunction): boolean {
  return recorded.kind === live.kind && recorded.name === live.name && recorded.provider === live.provider;
}

/** Whether the recorded call is of the live one's function and input. */
export function answers(call: PlannedCall, live: Live): boolean {
  return call.fingerprint === live.fingerprint || answersUnderRedaction(call, live);
}

function answersUnderRedaction(call: PlannedCall, live: Live): boolean {
  return call.redacted && isSameFunction(call, live) && equalUnderRedaction(call.compared, live.compared);
}
