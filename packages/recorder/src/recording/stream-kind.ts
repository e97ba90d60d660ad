import { types } from 'node:util';

/**
 * What kind of stream a value is, or null. A stream is read by its user alone: looking into one would take from
 * it or start it.
 */
export function streamKind(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return null;
  if (types.isGeneratorObject(value)) return Symbol.asyncIterator in value ? 'AsyncGenerator' : 'Generator';
  if (isMethod(value, 'getReader')) return 'ReadableStream';
  if (isMethod(value, 'pipe') && isMethod(value, 'on')) return 'Readable';
  if (isMethod(value, Symbol.asyncIterator)) return 'AsyncIterable';
  return isMethod(value, 'next') && isMethod(value, Symbol.iterator) ? 'Iterator' : null;
}

/** Looks for a method without running a getter. */
function isMethod(value: object, key: string | symbol): boolean {
  for (let at: object | null = value; at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, key);
    if (found !== undefined) return typeof found.value === 'function';
  }
  return false;
}
