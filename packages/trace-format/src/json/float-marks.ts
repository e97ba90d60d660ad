import type { Json } from '../json.js';
import { isJsonArray, isJsonObject } from './object.js';

/**
 * Which whole numbers inside parsed JSON were floats in the text (`1.0`, `1e2`). JavaScript has one number type,
 * the canonical profile has two: without the mark a value read from a Python bundle would hash differently when
 * it is verified or saved again. The mark lies beside the container, so that consumers see plain numbers.
 */
const marks = new WeakMap<object, Set<string>>();
/** Most processes only write, and never mark anything: then nothing need be looked up. */
let isUsed = false;

/** Remembers that `container[key]` was written as a float. */
export function markFloat(container: object, key: string): void {
  isUsed = true;
  const keys = marks.get(container);
  if (keys === undefined) marks.set(container, new Set([key]));
  else keys.add(key);
}

/** Forgets it: a later duplicate of the key won. */
export function unmarkFloat(container: object, key: string): void {
  marks.get(container)?.delete(key);
}

/** Whether `container[key]` was written as a float. */
export function isMarkedFloat(container: object, key: string): boolean {
  return marks.get(container)?.has(key) === true;
}

/** Whether anything directly inside `container` is marked. */
export function hasMarkedFloat(container: object): boolean {
  if (!isUsed) return false;
  const keys = marks.get(container);
  return keys !== undefined && keys.size > 0;
}

/** Copies the mark of one place to another; nothing happens where there is none. */
export function carryMark(from: object, fromKey: string, to: object, toKey: string): void {
  if (isMarkedFloat(from, fromKey)) markFloat(to, toKey);
}

/** Copies the marks of all that lies directly in a container to a copy of it. */
export function carryMarks(from: object, to: object): void {
  for (const key of marks.get(from) ?? []) markFloat(to, key);
}

/** The same for some items of a list, which lie elsewhere in the copy. */
export function carryItemMarks(from: object, start: number, to: object, at: number, count: number): void {
  if (!hasMarkedFloat(from)) return;
  for (let i = 0; i < count; i++) carryMark(from, String(start + i), to, String(at + i));
}

/**
 * Gives a changed copy the marks of its original, wherever both still hold the same number. Whoever rebuilds
 * parsed JSON (a redactor) calls this so that what it did not touch keeps its hash.
 */
export function carryFloats(from: Json, to: Json): void {
  if (from === to || !isUsed) return;
  if (isJsonArray(from) && isJsonArray(to)) {
    const length = Math.min(from.length, to.length);
    for (let i = 0; i < length; i++) carryEntry(from, to, String(i), from[i] as Json, to[i] as Json);
  } else if (isJsonObject(from) && isJsonObject(to)) {
    for (const key of Object.keys(to)) {
      if (Object.hasOwn(from, key)) carryEntry(from, to, key, from[key] as Json, to[key] as Json);
    }
  }
}

function carryEntry(from: object, to: object, key: string, before: Json, after: Json): void {
  if (typeof before === 'number') {
    if (Object.is(before, after)) carryMark(from, key, to, key);
  } else {
    carryFloats(before, after);
  }
}
