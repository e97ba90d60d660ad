import { externalizeBytes, hashJson, InternalError, type Json, type TraceEvent } from '@stepfork/trace-format';

/** What tells one call from another: everything of it that matching compares. */
export interface CallIdentity {
  readonly kind: 'tool' | 'llm';
  readonly name: string;
  readonly provider: string | null;
  /** Redacted, and as it is written: large bytes stand in it by their digest. */
  readonly input: Json;
}

/** The identity of the call whose redacted event this is, recorded or live. */
export function identityOf(event: TraceEvent): CallIdentity {
  if (event.type === 'tool_call') {
    return { kind: 'tool', name: event.name, provider: null, input: externalizeBytes(event.input) };
  }
  if (event.type === 'llm_request') {
    return { kind: 'llm', name: event.model, provider: event.provider, input: externalizeBytes(event.input) };
  }
  throw new InternalError(`a ${event.type} event was taken for a call`);
}

/** The one key function, for the recorded call and for the live one: SHA-256 of kind, name, provider and input. */
export function fingerprintOf({ kind, name, provider, input }: CallIdentity): string {
  return hashJson({ input, kind, name, provider });
}
