/** Any method; the object that it was called on comes first. */
export type Method = (self: unknown, args: unknown[]) => unknown;

/**
 * Puts an own method over the one that an object has, on the very object: what is identical stays identical, and
 * private fields stay where they are.
 *
 * @returns false where the object does not allow it, unchanged
 */
export function replaceMethod(target: object, key: PropertyKey, make: (original: Method) => Method): boolean {
  const original: unknown = Reflect.get(target, key);
  if (typeof original !== 'function') return false;
  const method = make((self, args) => Reflect.apply(original, self, args));
  return Reflect.defineProperty(target, key, {
    value(this: unknown, ...args: unknown[]): unknown {
      return method(this, args);
    },
    writable: true,
    configurable: true,
    // What is copied by `{ ...stream }` is copied still.
    enumerable: Object.getOwnPropertyDescriptor(target, key)?.enumerable ?? false,
  });
}
