import { StepforkError } from '../errors.js';
import type { Json } from '../json.js';
import { formatRootedPath, type PathSegment } from '../path.js';
import { hasMarkedFloat, isMarkedFloat } from './float-marks.js';
import { sortKeys } from './key-order.js';
import { keyShapeOf } from './key-shape.js';
import { MAX_JSON_DEPTH } from './limits.js';
import { isToJsonEverywhere, jsonText } from './native.js';
import { floatText, numberText, printsAsInteger } from './number-text.js';
import { isPlainObject } from './plain.js';
import { isWellFormed } from './well-formed.js';

/**
 * Canonical text of a JSON value, profile `stepfork-json-v0.1`: no white space, keys in code-point order, strings
 * escaped only where JSON demands it, integers in full, floats as Python's `repr` writes them.
 *
 * A whole JavaScript number prints as an integer, also where it was read from a text that said `1.0`: two equal
 * values have one text.
 *
 * @throws StepforkError `not_canonical` for NaN, infinities, lone surrogates, `undefined`, values that are not
 * plain JSON, and nesting deeper than 1,000.
 */
export function canonicalJson(value: Json): string {
  return fastText(value, false) ?? slowText(value, false, [], 0);
}

/**
 * Canonical text of `container[key]` that keeps floats floats where `parseJson` read them as such. This is the
 * text whose hash a bundle stores.
 */
export function canonicalEntry(container: object, key: string): string {
  const value = (container as Readonly<Record<string, Json>>)[key] as Json;
  if (typeof value === 'number' && isMarkedFloat(container, key)) return floatText(value);
  return fastText(value, true) ?? slowText(value, true, [key], 0);
}

/** How `JSON.stringify` writes a lone surrogate. In data, a backslash stands before it. */
const ESCAPED_SURROGATE = '\\ud';
const IRREGULAR = Symbol('irregular');

/**
 * Sorts, then lets the engine write: several times faster than building text here. Answers null for the rare
 * values that `JSON.stringify` would write differently, or should not write at all.
 */
function fastText(value: Json, floats: boolean): string | null {
  const sorted = inOrder(value, floats, 0);
  if (sorted === IRREGULAR || isToJsonEverywhere()) return null;
  const text = jsonText(sorted);
  return text.includes(ESCAPED_SURROGATE) ? null : text;
}

/** The value with keys in order (itself, where it is already so), or IRREGULAR. */
function inOrder(value: Json, floats: boolean, depth: number): Json | typeof IRREGULAR {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return isRegularNumber(value) ? value : IRREGULAR;
  if (typeof value !== 'object' || depth > MAX_JSON_DEPTH) return IRREGULAR;
  if (floats && hasMarkedFloat(value)) return IRREGULAR;
  if (Array.isArray(value)) return arrayInOrder(value, floats, depth);
  return isPlainObject(value) ? objectInOrder(value as Readonly<Record<string, Json>>, floats, depth) : IRREGULAR;
}

/** Whether `JSON.stringify` writes this number canonically. */
function isRegularNumber(value: number): boolean {
  if (printsAsInteger(value)) return true;
  const size = Math.abs(value);
  return size >= 1e-4 && size < 1e16;
}

function arrayInOrder(list: readonly Json[], floats: boolean, depth: number): Json | typeof IRREGULAR {
  let copy: Json[] | null = null;
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as Json;
    const sorted = inOrder(item, floats, depth + 1);
    if (sorted === IRREGULAR) return IRREGULAR;
    if (sorted !== item) {
      copy ??= list.slice();
      copy[i] = sorted;
    }
  }
  return copy ?? list;
}

function objectInOrder(
  object: Readonly<Record<string, Json>>,
  floats: boolean,
  depth: number,
): Json | typeof IRREGULAR {
  let keys: readonly string[] = Object.keys(object);
  // Engines list integer-like keys first and in numeric order: such an object cannot be put in order.
  if (keys.length > 1 && isIndexLike(keys[0] as string)) return IRREGULAR;
  let copy: Record<string, Json> | null = null;
  if (keys.length > 1) {
    const shape = keyShapeOf(keys);
    keys = shape.sorted;
    if (shape.sorted !== shape.keys) copy = {};
  }
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const item = object[key] as Json;
    const sorted = inOrder(item, floats, depth + 1);
    if (sorted === IRREGULAR || key === '__proto__') return IRREGULAR;
    if (copy === null && sorted !== item) copy = firstEntries(object, keys, i);
    if (copy !== null) copy[key] = sorted;
  }
  return copy ?? object;
}

function firstEntries(
  object: Readonly<Record<string, Json>>,
  keys: readonly string[],
  count: number,
): Record<string, Json> {
  const copy: Record<string, Json> = {};
  for (let i = 0; i < count; i++) copy[keys[i] as string] = object[keys[i] as string] as Json;
  return copy;
}

function isIndexLike(key: string): boolean {
  const unit = key.charCodeAt(0);
  return unit >= 0x30 && unit <= 0x39;
}

/** The whole profile, by hand, and the errors with their paths. */
function slowText(value: Json, floats: boolean, path: PathSegment[], depth: number): string {
  switch (typeof value) {
    case 'string':
      if (!isWellFormed(value)) throw notCanonical(path, 'a string with a lone surrogate');
      return jsonText(value);
    case 'number':
      if (!Number.isFinite(value)) throw notCanonical(path, String(value));
      return numberText(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      if (depth > MAX_JSON_DEPTH) throw notCanonical([], `a cycle or a value nested deeper than ${MAX_JSON_DEPTH}`);
      return Array.isArray(value)
        ? arrayText(value, floats, path, depth + 1)
        : objectText(value, floats, path, depth + 1);
    default:
      throw notCanonical(path, typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`);
  }
}

function arrayText(list: readonly Json[], floats: boolean, path: PathSegment[], depth: number): string {
  let text = '';
  for (let i = 0; i < list.length; i++) {
    path.push(i);
    text += `${i === 0 ? '' : ','}${entryText(list, String(i), list[i] as Json, floats, path, depth)}`;
    path.pop();
  }
  return `[${text}]`;
}

function objectText(value: object, floats: boolean, path: PathSegment[], depth: number): string {
  if (!isPlainObject(value)) throw notCanonical(path, 'a value that is not plain JSON data');
  const object = value as Readonly<Record<string, Json>>;
  let text = '';
  // No callback: it would double what the deepest value takes of the stack.
  for (const key of sortKeys(Object.keys(object))) {
    if (!isWellFormed(key)) throw notCanonical(path, 'a key with a lone surrogate');
    path.push(key);
    text += `${text === '' ? '' : ','}${jsonText(key)}:${entryText(object, key, object[key] as Json, floats, path, depth)}`;
    path.pop();
  }
  return `{${text}}`;
}

function entryText(
  container: object,
  key: string,
  value: Json,
  floats: boolean,
  path: PathSegment[],
  depth: number,
): string {
  if (floats && typeof value === 'number' && isMarkedFloat(container, key)) return floatText(value);
  return slowText(value, floats, path, depth);
}

function notCanonical(path: readonly PathSegment[], what: string): StepforkError {
  const at = formatRootedPath(path);
  return new StepforkError('not_canonical', `${at} is ${what}, which canonical JSON cannot hold`, {
    details: { path: at },
  });
}
