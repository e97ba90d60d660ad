import type { PlannedCall } from '../plan/planned-call.js';
import type { LiveCall } from './live-call.js';

/** A call of this replay and what became of it. */
export interface ReplayedCall {
  readonly live: LiveCall;
  /** What answers it; null for one that was refused. */
  readonly recorded: PlannedCall | null;
  /** Its real body ran. */
  readonly isReal: boolean;
  status: 'ok' | 'error' | 'pending';
}
