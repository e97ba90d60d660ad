import { hashJson, type Json } from '@stepfork/trace-format';

/** What tells one call from another: everything of it that matching compares. */
export interface CallIdentity {
  readonly kind: 'tool' | 'llm';
  readonly name: string;
  readonly provider: string | null;
  /** Redacted. */
  readonly input: Json;
}

/** The one key function, for the recorded call and for the live one: SHA-256 of kind, name, provider and input. */
export function fingerprintOf({ kind, name, provider, input }: CallIdentity): string {
  return hashJson({ input, kind, name, provider });
}
