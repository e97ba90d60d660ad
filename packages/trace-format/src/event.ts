import type { Json } from './json.js';

/** The eight event types of schema 0.1. */
export const EVENT_TYPES = [
  'run_start',
  'llm_request',
  'llm_response',
  'tool_call',
  'tool_result',
  'state_change',
  'error',
  'run_end',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const EVENT_STATUSES = ['ok', 'error', 'skipped'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

export const REPLAY_POLICIES = ['frozen', 'live', 'manual', 'forbidden', 'derived'] as const;
export type ReplayPolicy = (typeof REPLAY_POLICIES)[number];

export const RUN_STATUSES = ['running', 'completed', 'failed'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** What every event carries, in the order in which it is written. */
export interface EventBase {
  /** `evt_` and 32 hex digits when made here; any non-empty text when read. */
  readonly id: string;
  readonly run_id: string;
  /** An earlier event's id, or null. */
  readonly parent_id: string | null;
  /** Never decreases along the file; 0-based. */
  readonly step: number;
  /** ISO 8601 with a zone. */
  readonly timestamp: string;
  /** Whole milliseconds. */
  readonly duration_ms: number | null;
  readonly status: EventStatus;
  readonly replay_policy: ReplayPolicy;
  /** Lower-case hex SHA-256 of the payload's canonical JSON, or null where the type has no such payload. */
  readonly input_hash: string | null;
  readonly output_hash: string | null;
  /** JSON Pointers, from this event's root, to what was redacted. */
  readonly redactions: readonly string[];
}

export interface RunStartEvent extends EventBase {
  readonly type: 'run_start';
  readonly input?: Json;
}
export interface LlmRequestEvent extends EventBase {
  readonly type: 'llm_request';
  readonly provider: string | null;
  readonly model: string;
  readonly input: Json;
}
export interface LlmResponseEvent extends EventBase {
  readonly type: 'llm_response';
  readonly model: string | null;
  readonly output: Json;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly total_tokens: number | null;
  /** US dollars. */
  readonly cost_usd: number | null;
}
export interface ToolCallEvent extends EventBase {
  readonly type: 'tool_call';
  readonly name: string;
  readonly input: Json;
}
export interface ToolResultEvent extends EventBase {
  readonly type: 'tool_result';
  readonly name: string;
  readonly output: Json;
}
export interface StateChangeEvent extends EventBase {
  readonly type: 'state_change';
  readonly key: string | null;
  readonly before?: Json;
  readonly after?: Json;
}
export interface ErrorEvent extends EventBase {
  readonly type: 'error';
  readonly error_type: string;
  readonly message: string;
  readonly details?: Json;
}
export interface RunEndEvent extends EventBase {
  readonly type: 'run_end';
  readonly run_status: RunStatus;
  readonly output?: Json;
}

export type TraceEvent =
  | RunStartEvent
  | LlmRequestEvent
  | LlmResponseEvent
  | ToolCallEvent
  | ToolResultEvent
  | StateChangeEvent
  | ErrorEvent
  | RunEndEvent;
