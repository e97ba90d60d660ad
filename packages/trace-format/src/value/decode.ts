import { StepforkError } from '../errors.js';
import { isJsonArray, isJsonObject, setKey } from '../json/object.js';
import type { Json, JsonObject } from '../json.js';
import { formatRootedPath, type PathSegment } from '../path.js';
import { isItemKey } from './array-keys.js';
import { fromBytes } from './bytes.js';
import { reviveError } from './revive-error.js';
import { PLACEHOLDER_TAGS, TAG_KEY, tagOf, unescapeKey } from './tags.js';

/**
 * The JavaScript value that `toTraceValue` encoded. Plain data comes back as fresh plain data; nothing in it is
 * ever evaluated.
 *
 * @throws StepforkError `unservable` where a placeholder stands, `invalid_value` for a tag that is unknown or
 * holds what it cannot; both with a path such as `$.a[0].b`.
 */
export function fromTraceValue(json: Json): unknown {
  return decode(json, []);
}

function decode(json: Json, path: PathSegment[]): unknown {
  if (isJsonArray(json)) return json.map((item, index) => decodeAt(item, index, path));
  if (!isJsonObject(json)) return json;
  const tag = tagOf(json);
  return tag === null ? decodePlain(json, path) : decodeTagged(tag, json, path);
}

function decodeAt(json: Json, segment: PathSegment, path: PathSegment[]): unknown {
  path.push(segment);
  const value = decode(json, path);
  path.pop();
  return value;
}

function decodePlain(json: JsonObject, path: PathSegment[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const key of Object.keys(json)) {
    setKey(object, unescapeKey(key), decodeAt(json[key] as Json, key, path));
  }
  return object;
}

const DATA = { writable: true, configurable: true } as const;

type Decoder = (json: JsonObject, path: PathSegment[]) => unknown;

const NUMBERS: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

const DECODERS: Readonly<Record<string, Decoder>> = {
  undefined: () => undefined,
  bigint: (json, path) => (/^-?\d+$/.test(text(json, 'value', path)) ? BigInt(json.value as string) : fail(path)),
  number: (json, path) => {
    const name = text(json, 'value', path);
    return Object.hasOwn(NUMBERS, name) ? NUMBERS[name] : fail(path);
  },
  string: (json, path) => attempt(path, () => JSON.parse(`"${text(json, 'escaped', path)}"`) as string),
  date: (json, path) => {
    if (json.value === null) return new Date(Number.NaN);
    const date = new Date(text(json, 'value', path));
    return Number.isNaN(date.getTime()) ? fail(path) : date;
  },
  regexp: (json, path) => attempt(path, () => new RegExp(text(json, 'source', path), text(json, 'flags', path))),
  url: (json, path) => attempt(path, () => new URL(text(json, 'href', path))),
  bytes: (json, path) =>
    fromBytes({ kind: text(json, 'kind', path), base64: text(json, 'base64', path) }) ?? fail(path),
  map: (json, path) => new Map(pairs(json, path)),
  set: (json, path) => new Set(list(json, 'values', path).map((item, index) => decodeAt(item, index, path))),
  object: (json, path) => {
    const object: Record<string, unknown> = {};
    for (const [key, value] of pairs(json, path)) setKey(object, typeof key === 'string' ? key : fail(path), value);
    return object;
  },
  array: (json, path) => {
    const array = list(json, 'items', path).map((item, index) => decodeAt(item, index, path));
    for (const part of ['fields', 'hidden'] as const) {
      const fields = Object.hasOwn(json, part) ? decodeAt(json[part] as Json, part, path) : {};
      if (typeof fields !== 'object' || fields === null) return fail(path);
      for (const [key, value] of Object.entries(fields)) {
        if (isItemKey(key)) fail(path);
        Object.defineProperty(array, key, { ...DATA, value, enumerable: part === 'fields' });
      }
    }
    return array;
  },
  error: (json, path) =>
    reviveError({
      name: decodedText(json, 'name', path),
      message: decodedText(json, 'message', path),
      parts: decodePlain(withoutTag(json), path),
    }),
  'abort-signal': (json, path) => {
    if (json.aborted === false) return new AbortController().signal;
    return json.aborted === true ? AbortSignal.abort(decodeAt(json.reason ?? null, 'reason', path)) : fail(path);
  },
};

function decodeTagged(tag: string, json: JsonObject, path: PathSegment[]): unknown {
  if ((PLACEHOLDER_TAGS as readonly string[]).includes(tag)) {
    const at = formatRootedPath(path);
    throw new StepforkError('unservable', `${at} holds a placeholder (${tag}): the value itself was not recorded`, {
      details: { path: at, tag },
    });
  }
  const decoder = Object.hasOwn(DECODERS, tag) ? DECODERS[tag] : undefined;
  return decoder === undefined ? fail(path) : decoder(json, path);
}

function pairs(json: JsonObject, path: PathSegment[]): [unknown, unknown][] {
  return list(json, 'entries', path).map((entry, index) => {
    if (!isJsonArray(entry) || entry.length !== 2) return fail(path);
    return [decodeAt(entry[0] as Json, index, path), decodeAt(entry[1] as Json, index, path)];
  });
}

function list(json: JsonObject, field: string, path: PathSegment[]): readonly Json[] {
  const value = json[field];
  return isJsonArray(value) ? value : fail(path);
}

function text(json: JsonObject, field: string, path: PathSegment[]): string {
  const value = json[field];
  return typeof value === 'string' ? value : fail(path);
}

/** Text that may stand as a tagged string, because it holds a lone surrogate. */
function decodedText(json: JsonObject, field: string, path: PathSegment[]): string {
  const value = decodeAt(json[field] ?? null, field, path);
  return typeof value === 'string' ? value : fail(path);
}

function withoutTag(json: JsonObject): JsonObject {
  const { [TAG_KEY]: _tag, ...rest } = json;
  return rest;
}

function attempt<T>(path: PathSegment[], make: () => T): T {
  try {
    return make();
  } catch {
    return fail(path);
  }
}

function fail(path: readonly PathSegment[]): never {
  const at = formatRootedPath(path);
  throw new StepforkError('invalid_value', `${at} holds a '${TAG_KEY}' tag that this version cannot read`, {
    details: { path: at },
  });
}
