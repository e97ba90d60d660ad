import { isPlainObject } from '../plain.js';
import type { StreamObserver } from './observer.js';
import { replaceMethod } from './replace-method.js';

/**
 * Watches the iterators that an async iterable gives, by an own method on the very object. A frozen plain object is
 * stood in for by a frozen one with the same members.
 *
 * @param watchIterator watches an iterator and gives what the consumer is to be given
 * @returns what the consumer is to be given, or null
 */
export function patchAsyncIterable(
  iterable: object,
  watch: StreamObserver,
  watchIterator: (iterator: unknown) => unknown,
): object | null {
  const replaceIn = (target: object): boolean =>
    replaceMethod(target, Symbol.asyncIterator, (original) => (self, args) => {
      return watchIterator(watch.inside(() => original(self, args)));
    });
  if (replaceIn(iterable)) return iterable;
  if (!isPlainObject(iterable)) return null;
  const standIn: object = Object.create(Object.getPrototypeOf(iterable));
  for (const key of Reflect.ownKeys(iterable)) {
    const property = Object.getOwnPropertyDescriptor(iterable, key) as PropertyDescriptor;
    Object.defineProperty(standIn, key, key === Symbol.asyncIterator ? { ...property, configurable: true } : property);
  }
  return replaceIn(standIn) ? Object.freeze(standIn) : null;
}
