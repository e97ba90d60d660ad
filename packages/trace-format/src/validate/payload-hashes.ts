import type { ReadShape } from '../bundle/events-reader.js';
import { displayText } from '../display.js';
import { isStepforkError } from '../errors.js';
import type { TraceEvent } from '../event.js';
import { sha256 } from '../hash.js';
import { hasPayload, PAYLOAD_FIELDS, type PayloadField, payloadText } from '../payloads.js';
import type { ValidationIssue } from './issue.js';

const HASH_FIELDS = ['input_hash', 'output_hash'] as const;

/**
 * Compares an event's stored hashes with its payloads: first those that are missing, then those that are wrong.
 *
 * @param read how it stands in its line, where it was read from one: the payload in it is hashed as it stands, and printed
 * again, numbers exact, only when that gives another hash
 */
export function checkPayloadHashes(event: TraceEvent, read: ReadShape | null): readonly ValidationIssue[] {
  const missing: ValidationIssue[] = [];
  const wrong: ValidationIssue[] = [];
  for (const name of HASH_FIELDS) {
    const field = PAYLOAD_FIELDS[event.type].find((candidate) => candidate.hash === name);
    const isExpected = field !== undefined && hasPayload(event, field);
    const stored = event[name];
    if (stored === null) {
      if (isExpected) missing.push(hashIssue(event, name, 'integrity_unverified', 'has no stored hash'));
    } else if (!isExpected) {
      wrong.push(hashIssue(event, name, 'payload_hash_mismatch', 'is set, but the event has no such payload'));
    } else if (!matches(event, field, stored, read)) {
      wrong.push(hashIssue(event, name, 'payload_hash_mismatch', `does not match the payload '${field.name}'`));
    }
  }
  return [...missing, ...wrong];
}

function matches(event: TraceEvent, field: PayloadField, stored: string, read: ReadShape | null): boolean {
  const raw = read?.payload ?? null;
  if (raw !== null && sha256(raw) === stored) return true;
  try {
    return sha256(payloadText(read?.exact() ?? event, field)) === stored;
  } catch (error) {
    // A payload that canonical JSON cannot hold (NaN, a lone surrogate) has no hash.
    if (isStepforkError(error, 'not_canonical')) return false;
    throw error;
  }
}

function hashIssue(event: TraceEvent, name: string, code: string, what: string): ValidationIssue {
  return {
    code,
    message: `event '${displayText(event.id)}': ${name} ${what}`,
    event_id: event.id,
    step: event.step,
    location: `events.jsonl:${name}`,
  };
}
