import { EVENT_RULES } from '../../check-event.js';
import type { EventType, TraceEvent } from '../../event.js';
import { isText, orNull, type Rule } from '../../field-rules.js';
import { isJsonObject } from '../../json/object.js';
import type { Json } from '../../json.js';
import { PAYLOAD_FIELDS } from '../../payloads.js';
import { parseTimestamp } from '../../timestamp.js';

const isHash: Rule = orNull((value) => value === '' || isText(value));
/** Nearly every timestamp, told apart without building its parts; not a leap day, nor other zones. */
const PLAIN_TIMESTAMP =
  /^(?!0000)\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.(?!0{6})\d{6})?Z$/;
const isWrittenTimestamp: Rule = (value) =>
  typeof value === 'string' && (PLAIN_TIMESTAMP.test(value) || parseTimestamp(value) === value);

/** Every field of each type, in the form in which it is written. */
const WRITTEN = new Map<Json | undefined, readonly (readonly [string, Rule])[]>(
  Object.entries(EVENT_RULES).map(([type, rules]) => [
    type,
    Object.entries({
      ...rules,
      ...{ type: () => true, timestamp: isWrittenTimestamp, input_hash: isHash, output_hash: isHash },
      ...Object.fromEntries(PAYLOAD_FIELDS[type as EventType].map(({ name }) => [name, () => true])),
    }),
  ]),
);

/**
 * An event that stands in its line as a writer puts it: every field there and of its own type, no other field. Nearly
 * all do, and nothing in them needs a default or a conversion, so that the schema, which is slower, would give back
 * the same. Null for any other JSON: the schema decides.
 */
export function asWritten(json: Json): TraceEvent | null {
  if (!isJsonObject(json)) return null;
  const fields = WRITTEN.get(Object.hasOwn(json, 'type') ? json.type : undefined);
  if (fields === undefined || Object.keys(json).length !== fields.length) return null;
  for (const [name, rule] of fields) {
    if (!Object.hasOwn(json, name) || !rule(json[name])) return null;
  }
  return json as unknown as TraceEvent;
}
