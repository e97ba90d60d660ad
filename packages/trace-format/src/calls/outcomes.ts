import type { ErrorEvent, ToolResultEvent, TraceEvent } from '../event.js';
import { isJsonObject } from '../json/object.js';
import { FirstPositions, NONE } from './first-positions.js';
import type { CallOutcome } from './pair-calls.js';

/** Which events of a trace are calls, and which event is each call's outcome. All numbers are positions. */
export interface Pairing {
  /** In file order. */
  readonly calls: readonly number[];
  /** Per event: its parent, where that is an earlier event; else NONE. */
  readonly parents: Int32Array;
  /** Per event that is a call: its outcome, or NONE. */
  readonly outcomeOf: Int32Array;
  /** Per event that is an outcome: its call; else NONE. */
  readonly callOf: Int32Array;
  /** The first error under a tool's result, where there is one. */
  readonly failures: ReadonlyMap<number, ErrorEvent>;
}

/** What an event is to calls, as a number: numbers lie beside each other, events all over the memory. */
const OTHER = 0;
const CALL = 1;
const REQUEST = 2;
const RESULT = 3;
const RESPONSE = 4;
const ERROR = 5;

/**
 * Pairs calls with outcomes: by parent first; a tool result without a parent among the calls goes to the last open
 * call of its name. A second result under one call is one of its outcomes too, but the first counts. A response beats
 * an error, wherever it stands.
 */
export function pairOutcomes(events: readonly TraceEvent[]): Pairing {
  const { kinds, parents } = lineage(events);
  const calls: number[] = [];
  const outcomeOf = new Int32Array(events.length).fill(NONE);
  const callOf = new Int32Array(events.length).fill(NONE);
  const failures = new Map<number, ErrorEvent>();
  let hasStray = false;
  for (let position = 0; position < events.length; position++) {
    const kind = kinds[position] as number;
    if (kind === CALL || kind === REQUEST) {
      calls.push(position);
      continue;
    }
    const parent = parents[position] as number;
    const above = parent === NONE ? OTHER : (kinds[parent] as number);
    if (isOutcome(kind, above)) {
      callOf[position] = parent;
      const known = outcomeOf[parent] as number;
      if (known === NONE || (kind === RESPONSE && kinds[known] === ERROR)) outcomeOf[parent] = position;
    } else if (kind === RESULT) {
      hasStray = true;
    } else if (kind === ERROR && above === RESULT && !failures.has(parent)) {
      failures.set(parent, events[position] as ErrorEvent);
    }
  }
  if (hasStray) pairByName(events, outcomeOf, callOf);
  return { calls, parents, outcomeOf, callOf, failures };
}

interface Lineage {
  readonly kinds: Uint8Array;
  readonly parents: Int32Array;
}

/** All that pairing asks of events, in one pass over them. Of events with one id the first counts. */
function lineage(events: readonly TraceEvent[]): Lineage {
  const positions = new FirstPositions(events.length);
  const kinds = new Uint8Array(events.length);
  const parents = new Int32Array(events.length).fill(NONE);
  // Most calls of a run hang under one event, and most outcomes under the event before them.
  let latest: string | null = null;
  let found = NONE;
  let idBefore: string | null = null;
  let before = NONE;
  for (let position = 0; position < events.length; position++) {
    const { id, parent_id: parent, type } = events[position] as TraceEvent;
    kinds[position] = kindOf(type);
    if (parent !== null) {
      if (parent === idBefore) parents[position] = before;
      else if (parent === latest && found !== NONE) parents[position] = found;
      else {
        latest = parent;
        found = positions.find(parent);
        parents[position] = found;
      }
    }
    idBefore = id;
    before = positions.add(id);
  }
  return { kinds, parents };
}

function kindOf(type: TraceEvent['type']): number {
  switch (type) {
    case 'tool_call':
      return CALL;
    case 'tool_result':
      return RESULT;
    case 'llm_request':
      return REQUEST;
    case 'llm_response':
      return RESPONSE;
    case 'error':
      return ERROR;
    default:
      return OTHER;
  }
}

function isOutcome(kind: number, of: number): boolean {
  if (of === CALL) return kind === RESULT;
  return of === REQUEST && (kind === RESPONSE || kind === ERROR);
}

/** Results that hang under no call: each goes to the latest call of its name, unless that one has ended. */
function pairByName(events: readonly TraceEvent[], outcomeOf: Int32Array, callOf: Int32Array): void {
  const latest = new Map<string, number>();
  events.forEach((event, position) => {
    if (event.type === 'tool_call') latest.set(event.name, position);
    else if (event.type === 'tool_result' && callOf[position] === NONE) {
      const call = latest.get(event.name);
      if (call === undefined || outcomeOf[call] !== NONE) return;
      outcomeOf[call] = position;
      callOf[position] = call;
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
  const failure = pairing.failures.get(position);
  return {
    type: 'threw',
    ...(failure === undefined ? failureIn(event) : failureOf(failure)),
    output: event.output,
    event,
    position,
  };
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
