import type { ErrorEvent, ToolResultEvent, TraceEvent } from '../event.js';
import { isJsonObject } from '../json/object.js';
import type { CallOutcome } from './pair-calls.js';

/** Which events of a trace are calls, and which event is each call's outcome. All numbers are positions. */
export interface Pairing {
  /** Positions of the calls, in file order. */
  readonly calls: readonly number[];
  /** Per call: position of its outcome, or null. */
  readonly outcomes: readonly (number | null)[];
  /** Position of an event's parent, where it names an earlier event. */
  readonly parents: readonly (number | null)[];
  /** Positions of an event's children, in file order. */
  readonly children: ReadonlyMap<number, readonly number[]>;
  /** Position of an outcome to position of its call. */
  readonly callOf: ReadonlyMap<number, number>;
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
  const callOf = new Map<number, number>();
  events.forEach((event, position) => {
    if (event.type !== 'tool_call' && event.type !== 'llm_request') return;
    const ends = (children.get(position) ?? []).filter((child) => isOutcome(events[child] as TraceEvent, event.type));
    for (const end of ends) callOf.set(end, position);
    calls.push(position);
    outcomes.push(firstOutcome(events, ends));
  });
  pairByName(events, calls, outcomes, callOf);
  return { calls, outcomes, parents, children, callOf };
}

function parentPositions(events: readonly TraceEvent[]): readonly (number | null)[] {
  const byId = new Map<string, number>();
  return events.map((event, position) => {
    const parent = event.parent_id === null ? undefined : byId.get(event.parent_id);
    if (!byId.has(event.id)) byId.set(event.id, position);
    return parent ?? null;
  });
}

function childPositions(parents: readonly (number | null)[]): Map<number, number[]> {
  const children = new Map<number, number[]>();
  parents.forEach((parent, position) => {
    if (parent === null) return;
    const list = children.get(parent);
    if (list === undefined) children.set(parent, [position]);
    else list.push(position);
  });
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
  callOf: Map<number, number>,
): void {
  const latest = new Map<string, number>();
  let next = 0;
  events.forEach((event, position) => {
    if (calls[next] === position) {
      if (event.type === 'tool_call') latest.set(event.name, next);
      next++;
    } else if (event.type === 'tool_result' && !callOf.has(position)) {
      const index = latest.get(event.name);
      if (index === undefined || outcomes[index] !== null) return;
      outcomes[index] = position;
      callOf.set(position, calls[index] as number);
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
  const failure = (pairing.children.get(position) ?? []).map((child) => events[child]).find(isErrorEvent);
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
