import { types } from 'node:util';
import {
  canonicalJson,
  encodeValue,
  isJsonArray,
  isJsonObject,
  isPlainObject,
  type Json,
  type PathSegment,
  TAG_KEY,
  toPointer,
} from '@stepfork/trace-format/write';

/** Of one call. */
const MOST = 100;
/** Entries of a map or bytes of a buffer beyond which it is not looked at again. */
const LARGEST = 10_000;

/**
 * Where an input is no longer what was recorded of it, as JSON Pointers. Compared in place, without encoding it
 * again: that would run the agent's getters once more. What is no plain data is not looked into.
 */
export function changesOf(input: unknown, recorded: Json): readonly string[] {
  if (typeof input !== 'object' || input === null) return [];
  const found: string[] = [];
  try {
    if (isUnchanged(input, recorded, 0)) return found;
    compare(input, recorded, [], found);
  } catch {
    // A proxy of the agent's that throws. What was found is true all the same.
  }
  return found;
}

/** Deeper data is left to the comparison. */
const MOST_DEPTH = 100;

/**
 * Whether an input is plain data and surely as it was: what nearly every one comes to, told without the book-keeping of
 * a comparison. Only what was recorded as data is read, so that no getter is run; names that a list was given
 * meanwhile are not looked for.
 */
function isUnchanged(live: unknown, recorded: Json | undefined, depth: number): boolean {
  if (typeof live !== 'object' || live === null) return Object.is(live, recorded);
  if (typeof recorded !== 'object' || recorded === null || types.isProxy(live) || depth > MOST_DEPTH) return false;
  if (Array.isArray(live)) return isJsonArray(recorded) && areItemsUnchanged(live, recorded, depth);
  return isPlainObject(live) && isJsonObject(recorded) && areFieldsUnchanged(live as OpenFields, recorded, depth);
}

type OpenFields = { readonly [key: string]: unknown };

function areItemsUnchanged(live: readonly unknown[], recorded: readonly Json[], depth: number): boolean {
  if (live.length !== recorded.length) return false;
  for (let i = 0; i < recorded.length; i++) {
    if (isTagged(recorded[i]) || !isUnchanged(live[i], recorded[i], depth + 1)) return false;
  }
  return true;
}

function areFieldsUnchanged(live: OpenFields, recorded: { readonly [key: string]: Json }, depth: number): boolean {
  const keys = Object.keys(live);
  if (keys.length !== Object.keys(recorded).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(recorded, key) || isTagged(recorded[key])) return false;
    if (!isUnchanged(live[key], recorded[key], depth + 1)) return false;
  }
  return true;
}

function compare(live: unknown, recorded: Json | undefined, path: PathSegment[], found: string[]): void {
  if (found.length >= MOST) return;
  if (typeof live === 'object' && live !== null) compareObject(live, recorded, path, found);
  else if (!isSame(live, recorded)) found.push(toPointer(path));
}

function compareObject(live: object, recorded: Json | undefined, path: PathSegment[], found: string[]): void {
  if (types.isProxy(live)) return;
  if (Array.isArray(live)) {
    if (isJsonArray(recorded as Json)) compareParts(live, recorded as readonly Json[], path, found);
    else if (!isTagged(recorded)) found.push(toPointer(path));
  } else if (isPlainObject(live)) {
    if (isTagged(recorded)) return;
    if (isJsonObject(recorded as Json)) compareParts(live, recorded as { readonly [key: string]: Json }, path, found);
    else found.push(toPointer(path));
  } else if (isSmallBuiltin(live) && !isCut(recorded)) {
    const now = encodeValue(live).json;
    if (recorded === undefined || canonicalJson(now) !== canonicalJson(recorded)) found.push(toPointer(path));
  }
}

function compareParts(
  live: object,
  recorded: readonly Json[] | { readonly [key: string]: Json },
  path: PathSegment[],
  found: string[],
): void {
  const parts = recorded as { readonly [key: string]: Json };
  const keys = Object.keys(live);
  for (const key of keys) {
    const property = Object.getOwnPropertyDescriptor(live, key);
    if (property === undefined || property.get !== undefined || looksLikeTag(key)) continue;
    const at = Array.isArray(live) ? Number(key) : key;
    path.push(at);
    if (Object.hasOwn(parts, key)) compare(property.value, parts[key], path, found);
    else found.push(toPointer(path));
    path.pop();
  }
  for (const key of Object.keys(parts)) {
    if (Object.hasOwn(live, key) || looksLikeTag(key) || (Array.isArray(live) && Number(key) < live.length)) continue;
    found.push(toPointer([...path, key]));
  }
}

/** Whether a value that is no object is what its encoding says. */
function isSame(live: unknown, recorded: Json | undefined): boolean {
  if (Object.is(live, recorded)) return recorded !== undefined;
  if (recorded === undefined || typeof live === 'function' || typeof live === 'symbol') return recorded !== undefined;
  return canonicalJson(encodeValue(live).json) === canonicalJson(recorded);
}

/** An object that stands for something that JSON has no form for. */
function isTagged(recorded: Json | undefined): boolean {
  return typeof recorded === 'object' && recorded !== null && Object.hasOwn(recorded, TAG_KEY);
}

/** What was not recorded cannot have changed. */
function isCut(recorded: Json | undefined): boolean {
  return isTagged(recorded) && (recorded as { readonly [TAG_KEY]: Json })[TAG_KEY] === 'cut';
}

/** Keys of the agent's own that are written with one more `$`. */
function looksLikeTag(key: string): boolean {
  return key.startsWith('$') && key.endsWith('stepfork');
}

function isSmallBuiltin(value: object): boolean {
  if (types.isDate(value)) return true;
  if (types.isMap(value) || types.isSet(value)) return value.size <= LARGEST;
  if (types.isTypedArray(value) || types.isAnyArrayBuffer(value)) return value.byteLength <= LARGEST;
  return false;
}
