import type { BoundaryCall } from '@stepfork/recorder/boundary';
import type { Redactor } from '@stepfork/redact';
import { encodeValue, llmRequestEvent, toolCallEvent } from '@stepfork/trace-format';
import { type CallIdentity, fingerprintOf, identityOf } from '../plan/key.js';
import { captureStack, type Stack } from './call-site.js';

/** A call of the replayed run, as far as a recording could know it. */
export interface LiveCall extends CallIdentity {
  /** 1-based, among the calls of this replay. */
  readonly number: number;
  readonly fingerprint: string;
  /** Where it was made. */
  readonly stack: Stack;
}

/** Encodes and redacts a live call exactly as a recorder would have, so that the two compare. */
export function describeLive(call: BoundaryCall, number: number, redactor: Redactor): LiveCall {
  const stack = captureStack();
  const identity = redactedIdentity(call, redactor);
  return { ...identity, number, fingerprint: fingerprintOf(identity), stack };
}

function redactedIdentity({ kind, name, provider, input }: BoundaryCall, redactor: Redactor): CallIdentity {
  const { json } = encodeValue(input);
  const call =
    kind === 'tool' ? toolCallEvent({ name, input: json }) : llmRequestEvent({ provider, model: name, input: json });
  return identityOf(redactor.redactEvent(call).event);
}
