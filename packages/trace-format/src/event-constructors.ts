import { checkEvent } from './check-event.js';
import { newEventId, newRunId, timestampNow } from './clock.js';
import type {
  ErrorEvent,
  EventBase,
  LlmRequestEvent,
  LlmResponseEvent,
  RunEndEvent,
  RunStartEvent,
  StateChangeEvent,
  ToolCallEvent,
  ToolResultEvent,
  TraceEvent,
} from './event.js';

/** What every constructor may be given; the rest is filled in. */
export type EventBaseInit = { readonly [K in keyof EventBase]?: EventBase[K] };

type Own<E extends TraceEvent> = Omit<E, keyof EventBase | 'type'>;
/** The fields of one event type, with those that have a default left out at will. */
export type EventInit<E extends TraceEvent, Defaulted extends keyof Own<E> = never> = EventBaseInit &
  Omit<Own<E>, Defaulted> & { readonly [K in Defaulted]?: Own<E>[K] };

function base(status: EventBase['status']): EventBase {
  return {
    id: newEventId(),
    run_id: newRunId(),
    parent_id: null,
    step: 0,
    timestamp: timestampNow(),
    duration_ms: null,
    status,
    replay_policy: 'frozen',
    input_hash: null,
    output_hash: null,
    redactions: [],
  };
}

/** Start of a run, with what it was given. */
export function runStartEvent(init: EventInit<RunStartEvent> = {}): RunStartEvent {
  return checkEvent({ ...base('ok'), ...init, type: 'run_start' });
}

/** A request to a model. */
export function llmRequestEvent(init: EventInit<LlmRequestEvent, 'provider'>): LlmRequestEvent {
  return checkEvent({ ...base('ok'), provider: null, ...init, type: 'llm_request' });
}

/** What a model answered; its parent is the request. */
export function llmResponseEvent(
  init: EventInit<LlmResponseEvent, 'model' | 'prompt_tokens' | 'completion_tokens' | 'total_tokens' | 'cost_usd'>,
): LlmResponseEvent {
  const defaults = { model: null, prompt_tokens: null, completion_tokens: null, total_tokens: null, cost_usd: null };
  return checkEvent({ ...base('ok'), ...defaults, ...init, type: 'llm_response' });
}

/** A call of a tool. */
export function toolCallEvent(init: EventInit<ToolCallEvent>): ToolCallEvent {
  return checkEvent({ ...base('ok'), ...init, type: 'tool_call' });
}

/** How a tool call ended; its parent is the call. */
export function toolResultEvent(init: EventInit<ToolResultEvent>): ToolResultEvent {
  return checkEvent({ ...base('ok'), ...init, type: 'tool_result' });
}

/** A change of the agent's own state. */
export function stateChangeEvent(init: EventInit<StateChangeEvent, 'key'> = {}): StateChangeEvent {
  return checkEvent({ ...base('ok'), key: null, ...init, type: 'state_change' });
}

/** A failure: of a tool (child of its result), of a model (child of its request), or of the run. */
export function errorEvent(init: EventInit<ErrorEvent>): ErrorEvent {
  return checkEvent({ ...base('error'), ...init, type: 'error' });
}

/** End of a run, with what it came to. */
export function runEndEvent(init: EventInit<RunEndEvent>): RunEndEvent {
  return checkEvent({ ...base('ok'), ...init, type: 'run_end' });
}
