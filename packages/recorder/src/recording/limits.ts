import { Buffer } from 'node:buffer';
import { canonicalJson, type EncodedValue, isJsonArray, type Json, TAG_KEY } from '@stepfork/trace-format/write';
import type { Limits } from '../options.js';

const MIB = 1024 * 1024;

/**
 * Two payloads of this size and all that redaction may add to them fit into one line of 64 MB, the most that a bundle
 * may hold.
 */
const DEFAULTS = { payloadBytes: 16 * MIB, events: 1_000_000, bundleBytes: 1024 * MIB };

/** The most that one line may have, whatever limit is set. */
const MOST_PAYLOAD = 64 * MIB;

/** Limits with none left open. */
export interface SetLimits {
  readonly payloadBytes: number;
  readonly events: number;
  readonly bundleBytes: number;
}

export function toSetLimits({ payloadBytes, events, bundleBytes }: Limits = {}): SetLimits {
  return {
    payloadBytes: Math.min(payloadBytes ?? DEFAULTS.payloadBytes, MOST_PAYLOAD),
    events: events ?? DEFAULTS.events,
    bundleBytes: bundleBytes ?? DEFAULTS.bundleBytes,
  };
}

/** A payload, or where it is larger than the limit the mark that it was cut. */
export function withinLimit(captured: EncodedValue, limit: number): EncodedValue {
  // Most payloads are told to be small without a text being made of them.
  if (mostBytes(captured.json, limit) <= limit) return captured;
  const bytes = bytesOf(captured.json);
  return bytes <= limit ? captured : cut(bytes, `${bytes} bytes, more than limits.payloadBytes`);
}

/** The size as JSON text, where that may be more than is left; some number that is not more where it is not. */
export function bytesBeyond(json: Json, left: number): number {
  const most = mostBytes(json, left);
  return most <= left ? most : bytesOf(json);
}

/** The mark of a payload that no limit kept from being too large for a line. */
export function cutForLine(json: Json): EncodedValue {
  return cut(bytesOf(json), 'too large for one line of a bundle');
}

/** The mark of a stream that was recorded up to `bytes`. */
export function cutAt(bytes: number, limit: string): EncodedValue {
  return cut(bytes, `a stream of more than ${bytes} bytes, more than ${limit}`);
}

function cut(bytes: number, reason: string): EncodedValue {
  return { json: { [TAG_KEY]: 'cut', bytes }, placeholders: [{ path: '', reason }] };
}

/** A UTF-16 unit as JSON text, at most: `\u0000`. */
const LONGEST_UNIT = 6;
/** A number, `false`, quotes, or brackets, with a comma or colon after it, at most. */
const LONGEST_TOKEN = 28;

/** An upper bound of the size as JSON text; some number above `enough` once it is above. */
function mostBytes(json: Json, enough: number): number {
  if (typeof json === 'string') return json.length * LONGEST_UNIT + LONGEST_TOKEN;
  if (typeof json === 'bigint') return String(json).length;
  if (typeof json !== 'object' || json === null) return LONGEST_TOKEN;
  let sum = LONGEST_TOKEN;
  if (Array.isArray(json)) {
    for (let i = 0; i < json.length && sum <= enough; i++) sum += mostBytes(json[i] as Json, enough);
    return sum;
  }
  // Own keys only: a program may have given all objects one more.
  for (const key of Object.keys(json)) {
    sum += key.length * LONGEST_UNIT + mostBytes((json as { readonly [key: string]: Json })[key] as Json, enough);
    if (sum > enough) break;
  }
  return sum;
}

/** The size as JSON text, summed up part by part: the whole may be larger than a string can be. */
function bytesOf(json: Json): number {
  if (typeof json === 'string') return bytesOfText(json);
  if (typeof json !== 'object' || json === null) return Buffer.byteLength(canonicalJson(json));
  const parts = isJsonArray(json)
    ? json.map(bytesOf)
    : Object.keys(json).map((key) => bytesOfText(key) + 1 + bytesOf(json[key] as Json));
  // Brackets, and a comma between two parts.
  return parts.reduce((sum, bytes) => sum + bytes, 2 + Math.max(0, parts.length - 1));
}

const SLICE = 1024 * 1024;

/** Of which the JSON text may be six times as long, and so longer than a string can be. */
function bytesOfText(text: string): number {
  let bytes = 2;
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + SLICE, text.length);
    if (isHighSurrogate(text.charCodeAt(to - 1)) && to < text.length) to++;
    bytes += Buffer.byteLength(canonicalJson(text.slice(from, to))) - 2;
    from = to;
  }
  return bytes;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
