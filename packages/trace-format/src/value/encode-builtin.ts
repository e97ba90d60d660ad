import { types } from 'node:util';
import { isWellFormed } from '../json/well-formed.js';
import type { Json } from '../json.js';
import type { PathSegment } from '../path.js';
import { isoText } from '../timestamp.js';
import { bytesOf } from './bytes.js';
import { encodeError } from './encode-error.js';
import { tagged } from './tags.js';

/** Taken when the module loads: a program may put another `Date` in its place. */
const { getTime } = Date.prototype;

/** What the encoder offers for the parts of a built-in. */
export interface PartEncoder {
  readonly part: (segment: PathSegment, value: unknown, depth: number) => Json;
  /** A placeholder for all that is left, once so much was encoded that the rest is left out. */
  readonly cutOff: () => Json | null;
  /** The named properties, each read once, as plain data. */
  readonly fields: (object: object, keys: readonly string[], depth: number) => Json;
}

/**
 * Built-in objects that JSON lacks. Told by `util.types` and tags, never by `instanceof`: they may come from
 * another realm.
 *
 * @returns null for an object that is none of them
 */
export function encodeBuiltin(value: object, encoder: PartEncoder, depth: number): Json | null {
  if (types.isDate(value)) return tagged('date', { value: isoOf(value) });
  if (types.isMap(value)) return mapOf(value, encoder, depth);
  if (types.isSet(value)) return setOf(value, encoder, depth);
  if (types.isRegExp(value)) return tagged('regexp', { source: sourceOf(value), flags: value.flags });
  if (isError(value)) return encodeError(value, encoder, depth);
  const bytes = bytesOf(value);
  if (bytes !== null) return tagged('bytes', { kind: bytes.kind, base64: bytes.base64 });
  const href = hrefOf(value);
  if (href !== null) return tagged('url', { href });
  if (isAbortSignal(value)) return signalOf(value, encoder, depth);
  return null;
}

function isoOf(date: Date): string | null {
  const ms = getTime.call(date);
  return Number.isNaN(ms) ? null : isoText(ms);
}

/** Half a surrogate pair has no form in UTF-8; as an escape it is the same expression. */
function sourceOf({ source }: RegExp): string {
  if (isWellFormed(source)) return source;
  return source.replace(/\\[\s\S]|\p{Surrogate}/gu, (part) => {
    const last = part.slice(-1);
    return isWellFormed(part) ? part : `\\u${last.charCodeAt(0).toString(16)}`;
  });
}

function mapOf(map: Map<unknown, unknown>, encoder: PartEncoder, depth: number): Json {
  const entries: Json[] = [];
  for (const [key, item] of Map.prototype.entries.call(map)) {
    const segment = typeof key === 'string' ? key : entries.length;
    const cut = encoder.cutOff();
    entries.push(
      cut === null ? [encoder.part(segment, key, depth + 3), encoder.part(segment, item, depth + 3)] : [cut, null],
    );
    if (cut !== null) break;
  }
  return tagged('map', { entries });
}

function setOf(set: Set<unknown>, encoder: PartEncoder, depth: number): Json {
  const values: Json[] = [];
  for (const item of Set.prototype.values.call(set)) {
    const cut = encoder.cutOff();
    values.push(cut ?? encoder.part(values.length, item, depth + 2));
    if (cut !== null) break;
  }
  return tagged('set', { values });
}

const toStringTag = (value: object): string => Object.prototype.toString.call(value).slice(8, -1);

function isError(value: object): value is Error {
  return types.isNativeError(value) || toStringTag(value) === 'DOMException';
}

/** Of a URL of any realm; null for what only calls itself one. */
function hrefOf(value: object): string | null {
  if (toStringTag(value) !== 'URL') return null;
  const { href } = value as { href?: unknown };
  return typeof href === 'string' && isWellFormed(href) ? href : null;
}

function isAbortSignal(value: object): value is AbortSignal {
  return toStringTag(value) === 'AbortSignal' && typeof (value as { aborted?: unknown }).aborted === 'boolean';
}

function signalOf(signal: AbortSignal, encoder: PartEncoder, depth: number): Json {
  if (!signal.aborted) return tagged('abort-signal', { aborted: false });
  return tagged('abort-signal', { aborted: true, reason: encoder.part('reason', signal.reason, depth + 1) });
}
