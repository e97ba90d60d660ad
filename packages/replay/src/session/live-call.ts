import type { BoundaryCall } from '@stepfork/recorder/boundary';
import type { Redactor } from '@stepfork/redact';
import { encodeValue, llmRequestEvent, type TraceEvent, toolCallEvent } from '@stepfork/trace-format';
import { type CallIdentity, fingerprintOf } from '../plan/key.js';
import { captureStack, type Stack } from './call-site.js';

/** A call of the replayed run, as far as a recording could know it. */
export interface LiveCall extends CallIdentity {
  /** 1-based, among the calls of this replay. */
  readonly number: number;
  readonly fingerprint: string;
  /** Where it was made. */
  readonly stack: Stack;
  /** By which the agent may give it up. */
  readonly signals: readonly AbortSignal[];
}

/** Describes a live call exactly as a recorded one is, so that the two compare. */
export type DescribeLive = (call: BoundaryCall, number: number) => LiveCall;

/** @param identify what a call is whose redacted event this is */
export function describingLive(redactor: Redactor, identify: (event: TraceEvent) => CallIdentity): DescribeLive {
  return (call, number) => {
    const stack = captureStack();
    const identity = identify(redactor.redactEvent(eventOf(call)).event);
    return { ...identity, number, fingerprint: fingerprintOf(identity), stack, signals: call.signals ?? [] };
  };
}

/** As a recorder would have encoded it. */
function eventOf({ kind, name, provider, input }: BoundaryCall): TraceEvent {
  const { json } = encodeValue(input);
  return kind === 'tool'
    ? toolCallEvent({ name, input: json })
    : llmRequestEvent({ provider, model: name, input: json });
}
