import type { RecordedCall, TraceEvent } from '@stepfork/trace-format/write';

/**
 * Finds the call in which an event that is no call itself happened, by the rule that `pairCalls` has for calls:
 * what hangs under a call happened in it, what hangs under its outcome came after it. An error under an outcome tells
 * of that call, and so belongs to it.
 *
 * @returns the index of the call around the event at a position, or -1 for the run itself
 */
export function framesOf(events: readonly TraceEvent[], calls: readonly RecordedCall[]): (position: number) => number {
  // Few traces hold an error or a state change, and only those ask.
  let frames: Int32Array | null = null;
  return (position) => {
    frames ??= allFrames(events, calls);
    return frames[position] as number;
  };
}

function allFrames(events: readonly TraceEvent[], calls: readonly RecordedCall[]): Int32Array {
  const listFor = (): Int32Array => new Int32Array(events.length).fill(-1);
  // By position: the call that begins there, the call that ends there.
  const begun = listFor();
  const ended = listFor();
  for (const { index, position, outcome } of calls) {
    begun[position] = index;
    if (outcome !== null) ended[outcome.position] = index;
  }
  const frames = listFor();
  // The frame of whatever hangs under the event at that position.
  const below = listFor();
  const positions = new Map<string, number>();
  events.forEach((event, position) => {
    const parent = event.parent_id === null ? undefined : positions.get(event.parent_id);
    if (!positions.has(event.id)) positions.set(event.id, position);
    const around = parent === undefined ? -1 : (below[parent] as number);
    const end = ended[position] as number;
    const told = event.type === 'error' ? Math.max(end, parent === undefined ? -1 : (ended[parent] as number)) : -1;
    frames[position] = told >= 0 ? told : around;
    if ((begun[position] as number) >= 0) below[position] = begun[position] as number;
    else below[position] = end >= 0 ? (calls[end]?.frame ?? -1) : around;
  });
  return frames;
}
