import {
  errorEvent,
  type Json,
  llmRequestEvent,
  llmResponseEvent,
  type ReplayPolicy,
  type Trace,
  type TraceEvent,
  toolCallEvent,
  toolResultEvent,
} from '@stepfork/trace-format';
import { createPlan, type PlannedCall } from '../../src/index.js';
import { traceOf as traceAround } from '../hand-built.js';

/** A trace of a completed run, built by hand of the given events. */
export function traceOf(...events: readonly TraceEvent[]): Trace {
  return traceAround(events);
}

/** The calls that a replay of these events would expect. */
export function planned(...events: readonly TraceEvent[]): readonly PlannedCall[] {
  return createPlan(traceOf(...events)).calls;
}

interface Links {
  readonly id?: string;
  readonly under?: string;
}

export function call(
  name: string,
  input: Json,
  { id, under }: Links = {},
  policy: ReplayPolicy = 'frozen',
): TraceEvent {
  return toolCallEvent({
    name,
    input,
    replay_policy: policy,
    parent_id: under ?? null,
    ...(id === undefined ? {} : { id }),
  });
}

export function result(name: string, output: Json, { id, under }: Links = {}): TraceEvent {
  return toolResultEvent({ name, output, parent_id: under ?? null, ...(id === undefined ? {} : { id }) });
}

export function failedResult(name: string, output: Json, { id, under }: Links = {}): TraceEvent {
  return toolResultEvent({
    name,
    output,
    status: 'error',
    parent_id: under ?? null,
    ...(id === undefined ? {} : { id }),
  });
}

export function request(provider: string | null, model: string, input: Json, { id, under }: Links = {}): TraceEvent {
  return llmRequestEvent({ provider, model, input, parent_id: under ?? null, ...(id === undefined ? {} : { id }) });
}

export function response(output: Json, { id, under }: Links = {}): TraceEvent {
  return llmResponseEvent({ output, parent_id: under ?? null, ...(id === undefined ? {} : { id }) });
}

export function failure(type: string, message: string, { id, under }: Links = {}): TraceEvent {
  return errorEvent({ error_type: type, message, parent_id: under ?? null, ...(id === undefined ? {} : { id }) });
}
