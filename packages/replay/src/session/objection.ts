import type { BoundaryCall } from '@stepfork/recorder/boundary';
import type { ReplaySettings } from '../options.js';
import type { Ambiguity, PlannedCall } from '../plan/planned-call.js';
import type { Divergence } from '../report.js';
import { refused } from './diverge.js';
import type { LiveCall } from './live-call.js';
import { damageOf } from './stored-hash.js';

/** Why the recorded call must not answer although it matches; null where it may. Nothing is taken for it. */
export function objectionTo(
  recorded: PlannedCall,
  live: LiveCall,
  boundary: BoundaryCall,
  ambiguity: Ambiguity,
  { onAmbiguous, mode }: Pick<ReplaySettings, 'onAmbiguous' | 'mode'>,
): Divergence | null {
  // A call that wants a person's word has it in mode `manual`. No policy ever allows what the mode does not.
  const refusing = mode.type === 'manual' ? ['forbidden'] : ['forbidden', 'manual'];
  const policy = [recorded.policy, boundary.replayPolicy].find((each) => refusing.includes(each));
  if (policy !== undefined) {
    return refused('policy', live, recorded, `has the replay policy '${policy}', so the recording does not answer it`);
  }
  if (ambiguity === 'redaction' && onAmbiguous !== 'report') {
    const reason = 'cannot be told from an overlapping call: their recorded inputs may differ in redacted places';
    return refused('ambiguous', live, recorded, `${reason} (onAmbiguous: 'report' goes by their order)`);
  }
  if (ambiguity === 'order' && onAmbiguous === 'diverge') {
    return refused('ambiguous', live, recorded, 'cannot be told from an identical call that ended differently');
  }
  return null;
}

/**
 * Why a call that the mode lets run cannot; null where it can. Where its input must be the recorded one, the recording
 * has to be whole.
 */
export function obstacleToReal({ event, outcome }: PlannedCall, isFree: boolean): string | null {
  if (isFree) return damageOf(event);
  if (outcome === null) return 'has no recorded outcome, so its place in the run is not known';
  return damageOf(event) ?? damageOf(outcome.event);
}
