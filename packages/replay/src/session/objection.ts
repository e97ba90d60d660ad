import type { BoundaryCall } from '@stepfork/recorder/boundary';
import type { ReplaySettings } from '../options.js';
import type { Ambiguity, PlannedCall } from '../plan/planned-call.js';
import type { Divergence } from '../report.js';
import { refused } from './diverge.js';
import type { LiveCall } from './live-call.js';

/** Why the recorded call must not answer although it matches; null where it may. Nothing is taken for it. */
export function objectionTo(
  recorded: PlannedCall,
  live: LiveCall,
  boundary: BoundaryCall,
  ambiguity: Ambiguity,
  { onAmbiguous }: Pick<ReplaySettings, 'onAmbiguous'>,
): Divergence | null {
  const policy = [recorded.policy, boundary.replayPolicy].find((each) => each === 'forbidden' || each === 'manual');
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
