import type { Redactor } from '@stepfork/redact';
import { isStepforkError, type Json, type Manifest, type TraceEvent } from '@stepfork/trace-format/write';

/**
 * An event without what today's rules redact. As in a recording, a rule about keys is about the agent's data, not about
 * the fields that every event has.
 */
export function redactedEvent(event: TraceEvent, redactor: Redactor): TraceEvent {
  const { redactions } = event;
  return { ...inOwnFields(event, redactor, () => redactor.redactEvent(event).event), redactions } as TraceEvent;
}

/** The same for what a manifest says. */
export function redactedManifest<M extends Manifest>(manifest: M, redactor: Redactor): M {
  return inOwnFields(manifest, redactor, () => redactor.redactManifest(manifest).manifest as M);
}

/** A bundle from elsewhere may have a credential for an id, which a recording refuses: then any field may go. */
function inOwnFields<T extends object>(value: T, redactor: Redactor, redact: () => T): T {
  try {
    return redact();
  } catch (error) {
    if (!isStepforkError(error, 'credential_in_protected_field')) throw error;
    return redactor.redact(value as unknown as Json).value as unknown as T;
  }
}
