import type { RecordedCall, Trace } from '@stepfork/trace-format';
import type { Turned } from './prompt-places.js';
import type { Timeline } from './timeline.js';

/** Everything in the log of which the recording tells in which turn of the event loop it happened. */
export function recordedTurns(trace: Trace, calls: readonly RecordedCall[], timeline: Timeline): readonly Turned[] {
  const byId = new Map(calls.map((call) => [call.event.id, call]));
  return trace.runtime.flatMap((record) => {
    if (record.type === 'chunk') return turned(timeline.ofPoint(record).position, record.turn);
    if (record.type !== 'call' && record.type !== 'stream') return [];
    const call = byId.get(record.call_id);
    if (call === undefined) return [];
    const start = timeline.ofEvent(call.position).position;
    if (record.type === 'stream') {
      return [...turned(start, record.call_turn), ...turned(timeline.ofPoint(record).position, record.turn)];
    }
    if (!isTurns(record.turns) || call.outcome === null) return [];
    const end = timeline.ofEvent(call.outcome.position).position;
    return [...turned(start, record.turns[0]), ...turned(end, record.turns[1])];
  });
}

function turned(position: number, turn: unknown): readonly Turned[] {
  return typeof turn === 'number' ? [{ position, turn }] : [];
}

function isTurns(turns: unknown): turns is readonly [number, number] {
  return Array.isArray(turns) && turns.length === 2 && turns.every((turn) => typeof turn === 'number');
}
