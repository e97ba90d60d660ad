import { hasMarkedFloat } from '../json/float-marks.js';
import { isJsonArray, isJsonObject } from '../json/object.js';
import type { Json } from '../json.js';

/**
 * Compares parts of one input with those of earlier ones. What an earlier input repeats is the very object of the one
 * before it, so that what many of them have in common is compared once.
 */
export class SameValues {
  readonly #known = new Map<object, { readonly json: Json; readonly size: number }>();

  /** What a value takes as JSON, roughly; −1 where the other is not the same, down to the order of keys. */
  size(json: Json, other: Json): number {
    if (typeof json !== 'object' || typeof other !== 'object' || other === null) return sizeIfSame(json, other);
    const known = this.#known.get(other);
    if (known?.json === json) return known.size;
    const size = sizeIfSame(json, other);
    this.#known.set(other, { json, size });
    return size;
  }
}

function sizeIfSame(json: Json, other: Json): number {
  if (typeof json === 'string') return json === other ? json.length + 2 : -1;
  if (typeof json !== 'object' || json === null) return Object.is(json, other) ? 4 : -1;
  if (typeof other !== 'object' || other === null || hasMarkedFloat(json) || hasMarkedFloat(other)) return -1;
  return isJsonArray(json) ? sizeOfItems(json, other) : sizeOfFields(json, other);
}

function sizeOfItems(json: readonly Json[], other: Json): number {
  if (!isJsonArray(other) || json.length !== other.length) return -1;
  let sum = 2;
  for (let i = 0; i < json.length; i++) {
    const size = sizeIfSame(json[i] as Json, other[i] as Json);
    if (size < 0) return -1;
    sum += size + 1;
  }
  return sum;
}

function sizeOfFields(json: { readonly [key: string]: Json }, other: Json): number {
  if (!isJsonObject(other)) return -1;
  const keys = Object.keys(json);
  const others = Object.keys(other);
  if (keys.length !== others.length) return -1;
  let sum = 2;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    if (key !== others[i]) return -1;
    const size = sizeIfSame(json[key] as Json, other[key] as Json);
    if (size < 0) return -1;
    sum += key.length + size + 4;
  }
  return sum;
}
