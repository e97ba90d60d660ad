import { isJsonArray } from '../json/object.js';
import type { Json } from '../json.js';

const sizes = new WeakMap<object, number>();

/** What a value takes as JSON, roughly, in characters. That of a list or an object is remembered. */
export function sizeOf(json: Json): number {
  if (typeof json !== 'object' || json === null) return sizeBelow(json, Number.POSITIVE_INFINITY);
  const known = sizes.get(json);
  if (known !== undefined) return known;
  const size = sizeBelow(json, Number.POSITIVE_INFINITY);
  sizes.set(json, size);
  return size;
}

export function rememberSize(json: Json, size: number): void {
  if (typeof json === 'object' && json !== null) sizes.set(json, size);
}

/** The same; some number that is not below `enough` once it is that. */
export function sizeBelow(json: Json, enough: number): number {
  if (typeof json === 'string') return json.length + 2;
  if (typeof json !== 'object' || json === null) return 4;
  let sum = 2;
  for (const key of isJsonArray(json) ? json.keys() : Object.keys(json)) {
    if (typeof key === 'string') sum += key.length + 3;
    sum += 1 + sizeBelow((json as { readonly [key: string | number]: Json })[key] as Json, enough - sum);
    if (sum >= enough) break;
  }
  return sum;
}
