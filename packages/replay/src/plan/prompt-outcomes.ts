import type { RecordedCall, Trace } from '@stepfork/trace-format';

interface Edge {
  readonly index: number;
  readonly turn: number;
  readonly position: number;
  readonly isEnd: boolean;
}

/**
 * Per call, whether its outcome came in a turn of the event loop in which something before it in the log happened:
 * a function that answers at once, with nothing but promise callbacks in between. Where the recording does not tell
 * turns, none did.
 */
export function promptOutcomes(trace: Trace, calls: readonly RecordedCall[]): readonly boolean[] {
  const turns = notedTurns(trace);
  const edges = calls.flatMap((call, index) => edgesOf(call, index, turns.get(call.event.id)));
  const isPrompt = calls.map(() => false);
  const begun = new Set<number>();
  for (const { index, turn, isEnd } of edges.sort((a, b) => a.position - b.position)) {
    if (isEnd) isPrompt[index] = begun.has(turn);
    begun.add(turn);
  }
  return isPrompt;
}

type Turns = readonly [number, number];

function notedTurns(trace: Trace): ReadonlyMap<string, Turns> {
  const noted = new Map<string, Turns>();
  for (const record of trace.runtime) {
    if (record.type === 'call' && isTurns(record.turns)) noted.set(record.call_id, record.turns);
  }
  return noted;
}

function isTurns(turns: unknown): turns is Turns {
  return Array.isArray(turns) && turns.length === 2 && turns.every((turn) => typeof turn === 'number');
}

function edgesOf({ position, outcome }: RecordedCall, index: number, turns: Turns | undefined): readonly Edge[] {
  if (turns === undefined || outcome === null) return [];
  return [
    { index, turn: turns[0], position, isEnd: false },
    { index, turn: turns[1], position: outcome.position, isEnd: true },
  ];
}
