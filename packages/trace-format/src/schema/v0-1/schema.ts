import type { TraceEvent } from '../../event.js';
import { carryMark } from '../../json/float-marks.js';
import type { Json } from '../../json.js';
import { PAYLOAD_FIELDS } from '../../payloads.js';
import type { BundleSchema, Parsed } from '../bundle-schema.js';
import { parseWith } from '../parsed.js';
import { eventSchema } from './event.js';
import { manifestSchema } from './manifest.js';
import { redactionsSchema } from './redactions.js';
import { asWritten } from './written-event.js';

/** Schema 0.1, as the original defines it. */
export const SCHEMA_0_1: BundleSchema = {
  version: '0.1',
  manifest: (json) => parseWith(manifestSchema, json),
  event: parseEvent,
  writtenEvent: asWritten,
  redactions: (json) => {
    const parsed = parseWith(redactionsSchema, json);
    return parsed.ok ? { ok: true, value: parsed.value.entries } : parsed;
  },
};

function parseEvent(json: Json): Parsed<TraceEvent> {
  const written = asWritten(json);
  if (written !== null) return { ok: true, value: written };
  const parsed = parseWith(eventSchema, json);
  if (!parsed.ok) return parsed;
  // Payloads are `unknown` to the schema, which neither looks into them nor copies them.
  const event = parsed.value as TraceEvent;
  for (const { name } of PAYLOAD_FIELDS[event.type]) carryMark(json as object, name, event, name);
  return { ok: true, value: event };
}
