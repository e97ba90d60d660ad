import { isRecord } from './shape.js';

/** By what names the SDK's families of errors go, and by which registered symbols their `isInstance` knows them. */
const FAMILIES: readonly (readonly [name: RegExp, symbol: string])[] = [
  [/^AI_\w+$/, 'vercel.ai.error'],
  [/^Gateway\w+$/, 'vercel.ai.gateway.error'],
];

/**
 * An error that the SDK threw, and its causes, with the marks that `APICallError.isInstance` and the like look for. No
 * recording holds a symbol; what goes by it, as whether to try again, would be decided otherwise on replay.
 */
export function withMarks(error: unknown): unknown {
  for (let at = error; isRecord(at) && Object.isExtensible(at); at = at.cause) {
    const { name } = at;
    const family = typeof name === 'string' ? FAMILIES.find(([names]) => names.test(name)) : undefined;
    if (family === undefined) return error;
    for (const symbol of [family[1], `${family[1]}.${String(name)}`]) mark(at, Symbol.for(symbol));
  }
  return error;
}

function mark(error: object, symbol: symbol): void {
  if (symbol in error) return;
  Object.defineProperty(error, symbol, { value: true, writable: true, enumerable: true, configurable: true });
}
