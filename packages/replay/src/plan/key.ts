import { externalizeBytes, hashJson, InternalError, type Json, type TraceEvent } from '@stepfork/trace-format';
import type { Comparable, Volatility } from '../volatile/volatility.js';

/** The function that a call called. */
export interface CalledFunction {
  readonly kind: 'tool' | 'llm';
  readonly name: string;
  readonly provider: string | null;
}

/** What a call is, recorded or live. */
export interface CallIdentity extends CalledFunction {
  /** Redacted, and as it is written: large bytes stand in it by their digest. */
  readonly input: Json;
  /** What of the input matching compares: all but what was declared volatile. */
  readonly compared: Json;
}

/**
 * The identity of the call whose redacted event this is, recorded or live.
 *
 * @param ignored told of what is not compared
 */
export function identityOf(
  event: TraceEvent,
  volatility: Volatility,
  ignored?: (pattern: string, count: number) => void,
): CallIdentity {
  const call = callOf(event);
  return { ...call, compared: volatility.reduce(call, ignored) };
}

function callOf(event: TraceEvent): Comparable {
  if (event.type === 'tool_call') {
    return { kind: 'tool', name: event.name, provider: null, input: externalizeBytes(event.input) };
  }
  if (event.type === 'llm_request') {
    return { kind: 'llm', name: event.model, provider: event.provider, input: externalizeBytes(event.input) };
  }
  throw new InternalError(`a ${event.type} event was taken for a call`);
}

/** The one key function, for the recorded call and for the live one: SHA-256 of kind, name, provider and what is compared. */
export function fingerprintOf({ kind, name, provider, compared }: CallIdentity): string {
  return hashJson({ input: compared, kind, name, provider });
}
