import { type JsonObject, TAG_KEY, tagOf } from '@stepfork/trace-format/write';

/**
 * Values that JSON lacks stand in a trace as tagged objects (docs/trace-format.md): what a redactor must know of them,
 * so that it reaches their content and leaves them decodable.
 */

/** Tags whose one field is a list of contents. */
const CONTENT_FIELD: Readonly<Record<string, string>> = { map: 'entries', object: 'entries', set: 'values' };

/** The field that holds the contents of a tagged container; null for any other tag. */
export function contentField(tag: string): string | null {
  return Object.hasOwn(CONTENT_FIELD, tag) ? (CONTENT_FIELD[tag] as string) : null;
}

/** Tags of what holds no text: nothing in them can be a secret. */
const WITHOUT_TEXT = new Set(['undefined', 'number', 'date', 'abort-signal', 'function', 'symbol', 'cycle', 'deep']);

export function isWithoutText(tag: string): boolean {
  return WITHOUT_TEXT.has(tag);
}

/** Fields that say what a tagged value is, not what it holds. */
const KIND_FIELDS = new Set([TAG_KEY, 'kind', 'class', 'flags']);

export function isKindField(object: JsonObject, key: string): boolean {
  return KIND_FIELDS.has(key) && tagOf(object) !== null;
}
