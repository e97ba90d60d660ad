import { PAYLOAD_FIELDS, payloadText, sha256, type TraceEvent } from '@stepfork/trace-format';

/**
 * What is wrong with an event whose stored hash is not that of its payload; null where they agree or none is
 * stored. Such a payload is not what was recorded, so it is not served.
 */
export function damageOf(event: TraceEvent): string | null {
  for (const field of PAYLOAD_FIELDS[event.type]) {
    const stored = event[field.hash];
    if (stored === null || stored === sha256(payloadText(event, field))) continue;
    return `the stored ${field.hash} of event ${event.id} is not that of its ${field.name}; run stepfork validate --verify-integrity on the bundle`;
  }
  return null;
}
