import type { TraceEvent } from '../event.js';
import { NONE } from './first-positions.js';
import type { Pairing } from './outcomes.js';

/**
 * The frame of each call: the call whose body was running around it. From a call event its parents are followed;
 * reaching a call directly means nested in it, reaching an outcome means chained after it, so the search goes on
 * from that outcome's call. Events are visited once, since parents stand earlier.
 *
 * @returns per call, the index of its enclosing call, or null
 */
export function frameCalls(events: readonly TraceEvent[], pairing: Pairing): readonly (number | null)[] {
  const frames: (number | null)[] = [];
  // Index of the call at a position, and the frame of whatever hangs under the event there.
  const indexAt = new Int32Array(events.length).fill(NONE);
  const frameUnder = new Int32Array(events.length).fill(NONE);
  for (let position = 0; position < events.length; position++) {
    const parent = pairing.parents[position] as number;
    const around = parent === NONE ? NONE : (frameUnder[parent] as number);
    const call = pairing.callOf[position] as number;
    if (pairing.calls[frames.length] === position) {
      const index = frames.push(around === NONE ? null : around) - 1;
      indexAt[position] = index;
      frameUnder[position] = index;
    } else {
      frameUnder[position] = call === NONE ? around : (frames[indexAt[call] as number] ?? NONE);
    }
  }
  return frames;
}
