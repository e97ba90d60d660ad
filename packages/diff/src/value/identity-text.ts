import {
  canonicalJson,
  isJsonArray,
  isStepforkError,
  type Json,
  type JsonObject,
  type StepforkError,
  sortKeys,
} from '@stepfork/trace-format/write';

/** What canonical JSON can hold at most. */
const MAX_DEPTH = 1000;

/**
 * Text that two values share exactly when they are the same: the canonical text, or one of our own for what canonical
 * JSON refuses but a bundle may hold (lone surrogates, a number too large for JavaScript).
 *
 * @throws StepforkError `not_canonical` for a value nested too deep.
 */
export function identityText(value: Json): string {
  try {
    return canonicalJson(value);
  } catch (refusal) {
    if (!isStepforkError(refusal, 'not_canonical')) throw refusal;
    return uncheckedText(value, MAX_DEPTH, refusal);
  }
}

/** @param room how many levels may follow before it throws `refusal` */
function uncheckedText(value: Json, room: number, refusal: StepforkError): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0.0' : String(value);
  if (room < 0) throw refusal;
  if (isJsonArray(value)) return `[${value.map((item) => uncheckedText(item, room - 1, refusal)).join(',')}]`;
  const entries = sortKeys(Object.keys(value)).map(
    (key) => `${JSON.stringify(key)}:${uncheckedText((value as JsonObject)[key] as Json, room - 1, refusal)}`,
  );
  return `{${entries.join(',')}}`;
}
