import type { Json, JsonObject } from '../json.js';

/** The one key that makes a JSON object stand for a value that JSON has no form for. */
export const TAG_KEY = '$stepfork';

/** Nesting beyond this is not encoded: what the format allows to be written. */
export const MAX_VALUE_DEPTH = 100;

/** Tags that can be turned back into what they stand for. */
export const REVIVABLE_TAGS = [
  'undefined',
  'bigint',
  'number',
  'string',
  'date',
  'regexp',
  'url',
  'bytes',
  'map',
  'set',
  'object',
  'array',
  'error',
  'abort-signal',
] as const;

/** Tags of what could not be stored: something stood here, and this is all that is known. */
export const PLACEHOLDER_TAGS = ['function', 'symbol', 'instance', 'cycle', 'deep', 'unreadable', 'cut'] as const;

/** Tag of what a streaming call gave: no value of its own, since only a replay can give chunks one after another. */
export const STREAM_TAG = 'stream';

export type RevivableTag = (typeof REVIVABLE_TAGS)[number];
export type PlaceholderTag = (typeof PLACEHOLDER_TAGS)[number];

const LOOKS_LIKE_TAG = /^\$+stepfork$/;

/** A key of a user's own object, so that it cannot be taken for the tag key. */
export function escapeKey(key: string): string {
  return key.startsWith('$') && LOOKS_LIKE_TAG.test(key) ? `$${key}` : key;
}

/** The user's own key again. */
export function unescapeKey(key: string): string {
  return key.startsWith('$$') && LOOKS_LIKE_TAG.test(key) ? key.slice(1) : key;
}

/** The tag of a JSON object, or null for an object that is just itself. */
export function tagOf(object: JsonObject): string | null {
  const tag = Object.hasOwn(object, TAG_KEY) ? object[TAG_KEY] : undefined;
  return typeof tag === 'string' ? tag : null;
}

/** Builds a tagged object. */
export function tagged(tag: RevivableTag | PlaceholderTag, fields: { readonly [name: string]: Json } = {}): JsonObject {
  return { [TAG_KEY]: tag, ...fields };
}
