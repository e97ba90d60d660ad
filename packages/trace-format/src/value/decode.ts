import { Buffer } from 'node:buffer';
import { type BlobReader, type BlobReference, blobOf } from '../blobs.js';
import { StepforkError } from '../errors.js';
import { isJsonArray, isJsonObject, setKey } from '../json/object.js';
import type { Json, JsonObject } from '../json.js';
import { formatRootedPath, type PathSegment } from '../path.js';
import { isItemKey } from './array-keys.js';
import { decodeBase64, fromBytes } from './bytes.js';
import { reviveError } from './revive-error.js';
import { PLACEHOLDER_TAGS, STREAM_TAG, TAG_KEY, tagOf, unescapeKey } from './tags.js';

/** How values are decoded. */
export interface DecodeOptions {
  /** Where bytes lie that were too many to stand in the event: the `blobs` of the trace. */
  readonly blobs?: BlobReader | undefined;
}

/**
 * The JavaScript value that `toTraceValue` encoded. Plain data comes back as fresh plain data; nothing in it is
 * ever evaluated.
 *
 * @throws StepforkError `unservable` where a placeholder or a recorded stream stands, `invalid_value` for a tag that
 * is unknown or holds what it cannot, `missing_blob` and `invalid_blob` for bytes that are not to be had; all with a
 * path such as `$.a[0].b`.
 */
export function fromTraceValue(json: Json, { blobs }: DecodeOptions = {}): unknown {
  return decode(json, { path: [], blobs: blobs ?? null });
}

/** Where in the value the decoding is, and where large bytes lie. */
interface Place {
  readonly path: PathSegment[];
  readonly blobs: BlobReader | null;
}

function decode(json: Json, place: Place): unknown {
  if (isJsonArray(json)) return json.map((item, index) => decodeAt(item, index, place));
  if (!isJsonObject(json)) return json;
  const tag = tagOf(json);
  return tag === null ? decodePlain(json, place) : decodeTagged(tag, json, place);
}

function decodeAt(json: Json, segment: PathSegment, place: Place): unknown {
  place.path.push(segment);
  const value = decode(json, place);
  place.path.pop();
  return value;
}

function decodePlain(json: JsonObject, place: Place): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const key of Object.keys(json)) {
    setKey(object, unescapeKey(key), decodeAt(json[key] as Json, key, place));
  }
  return object;
}

const DATA = { writable: true, configurable: true } as const;

type Decoder = (json: JsonObject, place: Place) => unknown;

const NUMBERS: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

const DECODERS: Readonly<Record<string, Decoder>> = {
  undefined: () => undefined,
  bigint: (json, place) => (/^-?\d+$/.test(text(json, 'value', place)) ? BigInt(json.value as string) : fail(place)),
  number: (json, place) => {
    const name = text(json, 'value', place);
    return Object.hasOwn(NUMBERS, name) ? NUMBERS[name] : fail(place);
  },
  string: (json, place) => attempt(place, () => JSON.parse(`"${text(json, 'escaped', place)}"`) as string),
  date: (json, place) => {
    if (json.value === null) return new Date(Number.NaN);
    const date = new Date(text(json, 'value', place));
    return Number.isNaN(date.getTime()) ? fail(place) : date;
  },
  regexp: (json, place) => attempt(place, () => new RegExp(text(json, 'source', place), text(json, 'flags', place))),
  url: (json, place) => attempt(place, () => new URL(text(json, 'href', place))),
  bytes: (json, place) => {
    const kind = text(json, 'kind', place);
    const bytes = blobOf(json) === null ? decodeBase64(text(json, 'base64', place)) : blobBytes(json, place);
    return (bytes === null ? null : fromBytes(kind, bytes)) ?? fail(place);
  },
  map: (json, place) => new Map(pairs(json, place)),
  set: (json, place) => new Set(list(json, 'values', place).map((item, index) => decodeAt(item, index, place))),
  object: (json, place) => {
    const object: Record<string, unknown> = {};
    for (const [key, value] of pairs(json, place)) setKey(object, typeof key === 'string' ? key : fail(place), value);
    return object;
  },
  array: (json, place) => {
    const array = list(json, 'items', place).map((item, index) => decodeAt(item, index, place));
    for (const part of ['fields', 'hidden'] as const) {
      const fields = Object.hasOwn(json, part) ? decodeAt(json[part] as Json, part, place) : {};
      if (typeof fields !== 'object' || fields === null) return fail(place);
      for (const [key, value] of Object.entries(fields)) {
        if (isItemKey(key)) fail(place);
        Object.defineProperty(array, key, { ...DATA, value, enumerable: part === 'fields' });
      }
    }
    return array;
  },
  error: (json, place) =>
    reviveError({
      name: decodedText(json, 'name', place),
      message: decodedText(json, 'message', place),
      parts: decodePlain(withoutTag(json), place),
    }),
  'abort-signal': (json, place) => {
    if (json.aborted === false) return new AbortController().signal;
    return json.aborted === true ? AbortSignal.abort(decodeAt(json.reason ?? null, 'reason', place)) : fail(place);
  },
};

function decodeTagged(tag: string, json: JsonObject, place: Place): unknown {
  if (tag === STREAM_TAG) throw unservable(tag, 'a stream, which is given back by a replay only', place);
  if ((PLACEHOLDER_TAGS as readonly string[]).includes(tag)) {
    throw unservable(tag, `a placeholder (${tag}): the value itself was not recorded`, place);
  }
  const decoder = Object.hasOwn(DECODERS, tag) ? DECODERS[tag] : undefined;
  return decoder === undefined ? fail(place) : decoder(json, place);
}

function unservable(tag: string, what: string, { path }: Place): StepforkError {
  const at = formatRootedPath(path);
  return new StepforkError('unservable', `${at} holds ${what}`, { details: { path: at, tag } });
}

/** @returns null for bytes of another number than was recorded */
function blobBytes(json: JsonObject, { path, blobs }: Place): Buffer | null {
  const named = blobOf(json) as BlobReference;
  if (blobs === null) {
    const at = formatRootedPath(path);
    throw new StepforkError(
      'missing_blob',
      `${at} holds bytes that lie in the blob ${named.sha256}: pass the trace's blobs`,
      { details: { path: at, blob: named.sha256 } },
    );
  }
  const bytes = blobs.read(named.sha256);
  return bytes.length === named.size ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : null;
}

function pairs(json: JsonObject, place: Place): [unknown, unknown][] {
  return list(json, 'entries', place).map((entry, index) => {
    if (!isJsonArray(entry) || entry.length !== 2) return fail(place);
    return [decodeAt(entry[0] as Json, index, place), decodeAt(entry[1] as Json, index, place)];
  });
}

function list(json: JsonObject, field: string, place: Place): readonly Json[] {
  const value = json[field];
  return isJsonArray(value) ? value : fail(place);
}

function text(json: JsonObject, field: string, place: Place): string {
  const value = json[field];
  return typeof value === 'string' ? value : fail(place);
}

/** Text that may stand as a tagged string, because it holds a lone surrogate. */
function decodedText(json: JsonObject, field: string, place: Place): string {
  const value = decodeAt(json[field] ?? null, field, place);
  return typeof value === 'string' ? value : fail(place);
}

function withoutTag(json: JsonObject): JsonObject {
  const { [TAG_KEY]: _tag, ...rest } = json;
  return rest;
}

function attempt<T>(place: Place, make: () => T): T {
  try {
    return make();
  } catch {
    return fail(place);
  }
}

function fail(place: Place): never {
  const at = formatRootedPath(place.path);
  throw new StepforkError('invalid_value', `${at} holds a '${TAG_KEY}' tag that this version cannot read`, {
    details: { path: at },
  });
}
