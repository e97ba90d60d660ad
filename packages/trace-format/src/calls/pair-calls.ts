import type { LlmRequestEvent, ReplayPolicy, ToolCallEvent, TraceEvent } from '../event.js';
import type { Json } from '../json.js';
import { NONE } from './first-positions.js';
import { frameCalls } from './frames.js';
import { outcomeAt, pairOutcomes } from './outcomes.js';

/** How a recorded call ended. */
export type CallOutcome = ReturnedOutcome | ThrewOutcome;

export interface ReturnedOutcome {
  readonly type: 'returned';
  readonly output: Json;
  readonly event: TraceEvent;
  /** Index of that event in the trace. */
  readonly position: number;
}

export interface ThrewOutcome {
  readonly type: 'threw';
  readonly errorType: string;
  readonly message: string;
  /** The error event's details, where there is one that has some. */
  readonly details?: Json;
  /** A failed tool's recorded output. */
  readonly output?: Json;
  readonly event: TraceEvent;
  readonly position: number;
}

/** One crossing of an instrumented boundary, put together from its events. */
export interface RecordedCall {
  /** Among the trace's calls, 0-based, in file order. */
  readonly index: number;
  readonly kind: 'tool' | 'llm';
  /** Tool name, or model. */
  readonly name: string;
  readonly provider: string | null;
  readonly input: Json;
  readonly event: ToolCallEvent | LlmRequestEvent;
  /** Index of the event in the trace. */
  readonly position: number;
  /** Index of the call whose body was running around this one, or null for the run itself. */
  readonly frame: number | null;
  readonly policy: ReplayPolicy;
  /** null: the run ended first. */
  readonly outcome: CallOutcome | null;
}

/** The recorded calls of a trace in file order, each with its outcome and its frame. Linear in the events. */
export function pairCalls(events: readonly TraceEvent[]): readonly RecordedCall[] {
  const pairing = pairOutcomes(events);
  const frames = frameCalls(events, pairing);
  return pairing.calls.map((position, index) => {
    const event = events[position] as ToolCallEvent | LlmRequestEvent;
    const outcome = pairing.outcomeOf[position] as number;
    return {
      index,
      kind: event.type === 'tool_call' ? 'tool' : 'llm',
      name: event.type === 'tool_call' ? event.name : event.model,
      provider: event.type === 'tool_call' ? null : event.provider,
      input: event.input,
      event,
      position,
      frame: frames[index] ?? null,
      policy: event.replay_policy,
      outcome: outcome === NONE ? null : outcomeAt(events, pairing, outcome),
    };
  });
}
