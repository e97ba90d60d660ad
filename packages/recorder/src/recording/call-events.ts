import type { EventBase, Json, ToolResultEvent, TraceEvent } from '@stepfork/trace-format/write';
import { answerOf } from '../boundary/callback.js';
import type { BoundaryCall, LlmUsage } from '../boundary/handler.js';
import type { Thrown } from '../boundary/thrown.js';
import { type ResponseFacts, toResponseFacts } from './usage.js';

/** That a boundary was entered. The replay policy stands here and nowhere else. */
export function callEvent(
  { kind, name, provider, replayPolicy }: BoundaryCall,
  base: EventBase,
  input: Json,
): TraceEvent {
  const called = { ...base, replay_policy: replayPolicy };
  return kind === 'tool'
    ? { ...called, type: 'tool_call', name, input }
    : { ...called, type: 'llm_request', provider, model: name, input };
}

/**
 * That it was left with a value.
 *
 * @param usage what an LLM's answer says of itself; not asked for of a tool's
 */
export function answerEvent(
  call: BoundaryCall,
  base: EventBase,
  durationMs: number,
  output: Json,
  usage: () => LlmUsage,
): TraceEvent {
  const answered = { ...base, duration_ms: durationMs };
  return call.kind === 'tool'
    ? { ...answered, type: 'tool_result', name: call.name, output }
    : { ...answered, type: 'llm_response', output, ...factsOf(usage, call.name) };
}

/** Counts are worth less than the answer that they belong to, so whatever a callback does, that is recorded. */
function factsOf(usage: () => LlmUsage, requestedModel: string): ResponseFacts {
  try {
    return toResponseFacts(usage(), requestedModel);
  } catch {
    return toResponseFacts({}, requestedModel);
  }
}

/**
 * By the call's own callback, or else from the usual places.
 *
 * @param usual reads the usual places
 */
export function readUsage(call: BoundaryCall, response: unknown, usual: (response: unknown) => LlmUsage): LlmUsage {
  return call.usage === undefined ? usual(response) : answerOf(call.usage(response));
}

/** That a tool was left by an error: its result, under which the error event comes. */
export function failedResultEvent(
  call: BoundaryCall,
  base: EventBase,
  durationMs: number,
  thrown: Thrown,
): ToolResultEvent {
  const output = { error_type: thrown.type, message: thrown.message };
  return { ...base, type: 'tool_result', duration_ms: durationMs, status: 'error', name: call.name, output };
}
