import type { EventType, TraceEvent } from './event.js';
import { canonicalEntry } from './json/canonical.js';
import { isCall } from './repeats/earlier-inputs.js';
import { writtenForm } from './repeats/written-form.js';

/** A field that holds what an agent sent or got, and the hash that covers it. */
export interface PayloadField {
  readonly name: 'input' | 'output' | 'before' | 'after' | 'details';
  readonly hash: 'input_hash' | 'output_hash';
  /** Whether the field must be present (it may be null). */
  readonly required: boolean;
}

const INPUT = { name: 'input', hash: 'input_hash' } as const;
const OUTPUT = { name: 'output', hash: 'output_hash' } as const;

/** The payload fields of each event type, in the order in which they are written. */
export const PAYLOAD_FIELDS: Readonly<Record<EventType, readonly PayloadField[]>> = {
  run_start: [{ ...INPUT, required: false }],
  llm_request: [{ ...INPUT, required: true }],
  llm_response: [{ ...OUTPUT, required: true }],
  tool_call: [{ ...INPUT, required: true }],
  tool_result: [{ ...OUTPUT, required: true }],
  state_change: [
    { name: 'before', hash: 'input_hash', required: false },
    { name: 'after', hash: 'output_hash', required: false },
  ],
  error: [{ name: 'details', hash: 'output_hash', required: false }],
  run_end: [{ ...OUTPUT, required: false }],
};

/** Whether the event carries this payload. An optional one that was never set has no hash. */
export function hasPayload(event: TraceEvent, field: PayloadField): boolean {
  return (event as unknown as Record<string, unknown>)[field.name] !== undefined;
}

/**
 * Canonical text of a payload as it is to be hashed: floats are kept floats, and what repeats an earlier input is left
 * out, where the event was read from a bundle.
 *
 * @throws StepforkError `not_canonical`.
 */
export function payloadText(event: TraceEvent, field: PayloadField): string {
  if (!isCall(event)) return canonicalEntry(event, field.name);
  const input = writtenForm(event.input);
  return canonicalEntry(input === event.input ? event : { input }, 'input');
}
