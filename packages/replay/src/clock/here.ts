import { frameHere } from '@stepfork/recorder/boundary';
import type { Clock } from './run-clock.js';

/** A replay that may have a clock of its own, of whatever copy of this package. */
interface Timed {
  readonly clock?: Clock | null;
}

/**
 * The clock by which the code goes that runs now; null for the real one. The body of a call that really runs talks
 * to live services, which refuse a request that was signed a year ago.
 */
export function clockHere(): Clock | null {
  const frame = frameHere();
  if (frame === undefined || frame.call !== null || !frame.handler.active) return null;
  return (frame.handler as Timed).clock ?? null;
}
