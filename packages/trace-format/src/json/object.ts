import type { Json } from '../json.js';

/** An object under construction. Its keys come from data, so they are set with `setKey` only. */
export type OpenObject = { [key: string]: Json };

/** Sets an own property whatever its name: plain assignment of `__proto__` would change the prototype. */
export function setKey<T>(object: { [key: string]: T }, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** Whether `value` is a JSON object, told by shape. */
export function isJsonObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether `value` is a JSON array (`Array.isArray` forgets that it may be read-only). */
export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
