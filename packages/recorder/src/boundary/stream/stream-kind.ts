import { types } from 'node:util';
import type { StreamKind } from '@stepfork/trace-format/write';

/**
 * What kind of stream a value is, or null. Looks for methods only: to ask a stream anything would take from it or
 * start it. Whether a `web` stream is one of bytes, `web-bytes`, is told by its reader.
 */
export function streamKind(value: unknown): Exclude<StreamKind, 'web-bytes'> | null {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return null;
  if (types.isGeneratorObject(value)) return Symbol.asyncIterator in value ? 'async-generator' : 'generator';
  if (isMethod(value, 'getReader') && isMethod(value, 'cancel')) return 'web';
  if (NODE_METHODS.every((name) => isMethod(value, name))) return 'node';
  if (isMethod(value, Symbol.asyncIterator)) return isIterator(value) ? 'async-generator' : 'async-iterable';
  return isMethod(value, Symbol.iterator) && isMethod(value, 'next') ? 'generator' : null;
}

/** A Writable has the first two. */
const NODE_METHODS = ['pipe', 'on', 'emit', 'read'] as const;

/** With `next` alone it may be a database's cursor, whose `next` gives documents. */
function isIterator(value: object): boolean {
  return isMethod(value, 'next') && (isMethod(value, 'return') || isMethod(value, 'throw'));
}

/** Looks for a method without running a getter. */
function isMethod(value: object, key: string | symbol): boolean {
  for (let at: object | null = value; at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, key);
    if (found !== undefined) return typeof found.value === 'function';
  }
  return false;
}
