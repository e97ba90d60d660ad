import { Buffer } from 'node:buffer';
import { carryMarks } from '../json/float-marks.js';
import { isJsonArray, isJsonObject, type OpenObject, setKey } from '../json/object.js';
import type { Json, JsonObject } from '../json.js';
import type { PathSegment } from '../path.js';
import { TAG_KEY, tagOf } from '../value/tags.js';

/**
 * A conversation sends all that was said before with every request. What a call's input repeats of an earlier one is
 * written once, where it stood first; what stands in its place is `{"$stepfork":"repeated",…}`. It always stands for
 * what the earlier input has at the very same place, so that nothing can grow by being named twice.
 */
const REPEATED_TAG = 'repeated';

/** Keys and indexes that lead from an input to what may be repeated. */
export const MAX_REPEAT_DEPTH = 3;

/** What is smaller, in characters, is written again: a line that says it all reads better. */
export const MIN_REPEATED = 1024;

const HASH = /^[0-9a-f]{64}$/;

/** Stands for what an earlier input has at the same place. */
export interface Repeat {
  /** Hash of that input as it stands in its line, so that it covers what is repeated there, too. */
  readonly of: string;
  /** How many of the list's items are repeated; null where the whole value is, of whatever type. */
  readonly length: number | null;
  /** The items that follow them. */
  readonly added: readonly Json[];
}

/** What a JSON object repeats; null for any other object. */
export function repeatOf(json: JsonObject): Repeat | null {
  if (tagOf(json) !== REPEATED_TAG) return null;
  const { of, length, added } = json;
  if (typeof of !== 'string' || !HASH.test(of)) return null;
  const fields = Object.keys(json).length;
  if (fields === 2) return { of, length: null, added: [] };
  if (fields !== 4 || typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) return null;
  return added !== undefined && isJsonArray(added) ? { of, length, added } : null;
}

/** A repeat as it is written, with its keys in the order in which they are. */
export function repeatedJson({ of, length, added }: Repeat): JsonObject {
  return length === null ? { [TAG_KEY]: REPEATED_TAG, of } : { [TAG_KEY]: REPEATED_TAG, added, length, of };
}

/** However it is spelled: with an escape, any letter of it may be one. */
const SPELLINGS = [REPEATED_TAG, '\\u'].map((text) => Buffer.from(text));

/** Whether the text of an input may say that something is repeated: a look that costs next to nothing. */
export function mayRepeat(line: Buffer): boolean {
  return SPELLINGS.some((spelling) => line.includes(spelling));
}

/** Gives what is to stand in the place of a repeat; the path is good until it returns. */
export type ReplaceRepeat = (repeat: Repeat, path: readonly PathSegment[]) => Json;

/**
 * An input with something else in the place of every repeat.
 *
 * @returns the same value where nothing is repeated; it is never changed itself
 */
export function mapRepeats(input: Json, replace: ReplaceRepeat): Json {
  return mapBelow(input, [], replace);
}

function mapBelow(json: Json, path: PathSegment[], replace: ReplaceRepeat): Json {
  if (typeof json !== 'object' || json === null || path.length === MAX_REPEAT_DEPTH) return json;
  let copy: Json[] | OpenObject | null = null;
  for (const key of isJsonArray(json) ? json.keys() : Object.keys(json)) {
    const item = itemAt(json, key) as Json;
    if (typeof item !== 'object' || item === null) continue;
    path.push(key);
    const repeat = isJsonObject(item) ? repeatOf(item) : null;
    const changed = repeat === null ? mapBelow(item, path, replace) : replace(repeat, path);
    path.pop();
    if (changed === item) continue;
    copy ??= copyOf(json);
    setItem(copy, key, changed);
  }
  return copy ?? json;
}

/** What lies at a path; undefined for nothing. */
export function valueAt(json: Json, path: readonly PathSegment[]): Json | undefined {
  let value: Json | undefined = json;
  for (const key of path) value = itemAt(value, key);
  return value;
}

/** What lies directly in a value; undefined for nothing. */
export function itemAt(json: Json | undefined, key: PathSegment): Json | undefined {
  if (isJsonArray(json)) return typeof key === 'number' ? json[key] : undefined;
  return isJsonObject(json) && Object.hasOwn(json, key) ? json[key] : undefined;
}

/** A copy of a list or an object alone, with the marks of its numbers. */
export function copyOf(json: JsonObject | readonly Json[]): Json[] | OpenObject {
  let copy: Json[] | OpenObject;
  if (isJsonArray(json)) {
    copy = [...json];
  } else {
    copy = {};
    for (const key of Object.keys(json)) setKey(copy, key, json[key] as Json);
  }
  carryMarks(json, copy);
  return copy;
}

export function setItem(container: Json[] | OpenObject, key: PathSegment, value: Json): void {
  setKey(container as OpenObject, key as string, value);
}
