import { hidden } from './hidden.js';

/** What is done when a promise is asked for the first time; null once that was done. */
const callbacks = hidden<(() => void) | null>();
/** By the prototype of a promise: one that goes before it, and tells. */
const tellers = new WeakMap<object, object>();
/** Shared by all copies of this package, so that each knows a promise that another listens to for a plain one. */
const MARK = Symbol.for('stepfork.asked/1');

/**
 * Has `callback` called when somebody first asks for what a promise comes to, just before that one is heard. By
 * whatever way it is asked, `await` and `Promise.all` included, the language looks up the promise's `constructor`;
 * and from then on the promise is as it was.
 */
export function whenAsked(promise: Promise<unknown>, callback: () => void): void {
  const before = callbacks.get(promise) ?? null;
  if (before !== null) {
    callbacks.set(promise, () => {
      before();
      callback();
    });
    return;
  }
  const prototype: object = Object.getPrototypeOf(promise);
  let teller = tellers.get(prototype);
  if (teller === undefined) {
    teller = makeTeller(prototype);
    tellers.set(prototype, teller);
  }
  callbacks.set(promise, callback);
  Object.setPrototypeOf(promise, teller);
}

/** Whether a prototype is one that tells, of this copy or another. */
export function isTeller(prototype: object): boolean {
  return Object.hasOwn(prototype, MARK);
}

function makeTeller(prototype: object): object {
  return Object.create(prototype, {
    [MARK]: { value: true },
    constructor: {
      get(this: object): unknown {
        const callback = callbacks.get(this);
        if (callback !== undefined && callback !== null) {
          callbacks.set(this, null);
          Object.setPrototypeOf(this, prototype);
          callback();
        }
        return Reflect.get(prototype, 'constructor', this);
      },
    },
  });
}
