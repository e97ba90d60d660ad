import type { TraceEvent } from '../event.js';
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
  const indexOf = new Map(pairing.calls.map((position, index) => [position, index]));
  // The frame of whatever hangs under the event at that position.
  const frameUnder: (number | null)[] = [];
  events.forEach((_event, position) => {
    const parent = pairing.parents[position] ?? null;
    const around = parent === null ? null : (frameUnder[parent] ?? null);
    const index = indexOf.get(position);
    const call = pairing.callOf.get(position);
    if (index !== undefined) {
      frames.push(around);
      frameUnder.push(index);
    } else if (call !== undefined) {
      frameUnder.push(frames[indexOf.get(call) ?? 0] ?? null);
    } else {
      frameUnder.push(around);
    }
  });
  return frames;
}
