import type { ErrorEvent, ToolResultEvent, TraceEvent } from '../event.js';
import { isJsonObject } from '../json/object.js';
import type { CallOutcome } from './pair-calls.js';

/** Stands for no position. */
export const NONE = -1;

/** Which events of a trace are calls, and which event is each call's outcome. All numbers are positions. */
export interface Pairing {
  /** Positions of the calls, in file order. */
  readonly calls: readonly number[];
  /** Per call: position of its outcome, or null. */
  readonly outcomes: readonly (number | null)[];
  /** Per event: its parent, where that is an earlier event; else NONE. */
  readonly parents: Int32Array;
  readonly children: Children;
  /** Per event that is an outcome: its call; else NONE. */
  readonly callOf: Int32Array;
}

/** The children of each event in file order, as linked lists in flat arrays. */
interface Children {
  readonly first: Int32Array;
  readonly next: Int32Array;
}

/**
 * Pairs calls with outcomes: by parent first; a tool result without a parent among the calls goes to the last open
 * call of its name. A second result under one call is one of its outcomes too, but the first counts.
 */
export function pairOutcomes(events: readonly TraceEvent[]): Pairing {
  const parents = parentPositions(events);
  const children = childPositions(parents);
  const calls: number[] = [];
  const outcomes: (number | null)[] = [];
  const callOf = new Int32Array(events.length).fill(NONE);
  events.forEach(({ type }, position) => {
    if (type !== 'tool_call' && type !== 'llm_request') return;
    const ends = childrenOf(children, position).filter((child) => isOutcome(events[child] as TraceEvent, type));
    for (const end of ends) callOf[end] = position;
    calls.push(position);
    outcomes.push(firstOutcome(events, ends));
  });
  pairByName(events, calls, outcomes, callOf);
  return { calls, outcomes, parents, children, callOf };
}

/** Of events with one id the first counts. */
function parentPositions(events: readonly TraceEvent[]): Int32Array {
  const byId = new Map<string, number>();
  // From the last event back, so that the first of one id stays, and no id is looked up to be added.
  for (let position = events.length - 1; position >= 0; position--) {
    byId.set((events[position] as TraceEvent).id, position);
  }
  const parents = new Int32Array(events.length);
  // Most calls of a run hang under one event.
  let latest: string | null = null;
  let found = NONE;
  events.forEach(({ parent_id: parent }, position) => {
    if (parent !== latest) {
      latest = parent;
      found = parent === null ? NONE : (byId.get(parent) ?? NONE);
    }
    parents[position] = found < position ? found : NONE;
  });
  return parents;
}

/** From the last event back, so that each list comes to be in file order. */
function childPositions(parents: Int32Array): Children {
  const first = new Int32Array(parents.length).fill(NONE);
  const next = new Int32Array(parents.length).fill(NONE);
  for (let position = parents.length - 1; position >= 0; position--) {
    const parent = parents[position] as number;
    if (parent === NONE) continue;
    next[position] = first[parent] as number;
    first[parent] = position;
  }
  return { first, next };
}

function childrenOf({ first, next }: Children, position: number): readonly number[] {
  const children: number[] = [];
  for (let child = first[position] as number; child !== NONE; child = next[child] as number) children.push(child);
  return children;
}

function isOutcome(event: TraceEvent, of: 'tool_call' | 'llm_request'): boolean {
  return of === 'tool_call' ? event.type === 'tool_result' : event.type === 'llm_response' || event.type === 'error';
}

/** A response beats an error, wherever it stands. */
function firstOutcome(events: readonly TraceEvent[], ends: readonly number[]): number | null {
  return ends.find((end) => events[end]?.type !== 'error') ?? ends[0] ?? null;
}

/** Results that hang under no call: each goes to the latest call of its name, unless that one has ended. */
function pairByName(
  events: readonly TraceEvent[],
  calls: readonly number[],
  outcomes: (number | null)[],
  callOf: Int32Array,
): void {
  const latest = new Map<string, number>();
  let next = 0;
  events.forEach((event, position) => {
    if (calls[next] === position) {
      if (event.type === 'tool_call') latest.set(event.name, next);
      next++;
    } else if (event.type === 'tool_result' && callOf[position] === NONE) {
      const index = latest.get(event.name);
      if (index === undefined || outcomes[index] !== null) return;
      outcomes[index] = position;
      callOf[position] = calls[index] as number;
    }
  });
}

/** What the outcome at `position` says. */
export function outcomeAt(events: readonly TraceEvent[], pairing: Pairing, position: number): CallOutcome | null {
  const event = events[position];
  if (event?.type === 'llm_response') return { type: 'returned', output: event.output, event, position };
  if (event?.type === 'error') return { type: 'threw', ...failureOf(event), event, position };
  if (event?.type !== 'tool_result') return null;
  if (event.status !== 'error') return { type: 'returned', output: event.output, event, position };
  const failure = childrenOf(pairing.children, position)
    .map((child) => events[child])
    .find(isErrorEvent);
  return {
    type: 'threw',
    ...(failure === undefined ? failureIn(event) : failureOf(failure)),
    output: event.output,
    event,
    position,
  };
}

function isErrorEvent(event: TraceEvent | undefined): event is ErrorEvent {
  return event?.type === 'error';
}

function failureOf(event: ErrorEvent): Pick<CallOutcome & { type: 'threw' }, 'errorType' | 'message' | 'details'> {
  const failure = { errorType: event.error_type, message: event.message };
  return event.details === undefined || event.details === null ? failure : { ...failure, details: event.details };
}

/** A failed tool without an error event: what its output says, or the original's words for an unknown failure. */
function failureIn(event: ToolResultEvent): { errorType: string; message: string } {
  const output = isJsonObject(event.output) ? event.output : {};
  const { error_type: type, message } = output;
  return {
    errorType: typeof type === 'string' && type !== '' ? type : 'DependencyError',
    message: typeof message === 'string' ? message : 'recorded dependency failure',
  };
}
