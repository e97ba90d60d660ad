import type { Outcome } from './observe.js';

type Then = (onFulfilled?: unknown, onRejected?: unknown, ...more: unknown[]) => unknown;

/** Has a `then` of its own: a query builder, an SDK's promise class, a subclass of Promise. */
export interface Thenable {
  then: Then;
}

export function isThenable(value: unknown): value is Thenable {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  try {
    return typeof (value as Partial<Thenable>).then === 'function';
  } catch {
    return false;
  }
}

/** Who waits for a thenable's outcome. One thenable may be answered to many calls. */
const waiting = new WeakMap<object, Outcome[]>();

/**
 * Learns a thenable's outcome from its own user. Many are lazy (asking a query builder runs the query), so nobody
 * may ask but the user, and the object must stay the one that was returned, private fields and all: its `then` is
 * replaced in place. False where that is not possible.
 */
export function watchThenable(thenable: Thenable, outcome: Outcome): boolean {
  const others = waiting.get(thenable);
  if (others !== undefined) {
    others.push(outcome);
    return true;
  }
  const outcomes = [outcome];
  const tell = (how: 'returned' | 'threw', what: unknown): void => {
    for (const each of outcomes.splice(0)) each[how](what, 'promise');
  };
  try {
    replaceThen(thenable, tell);
  } catch {
    return false;
  }
  waiting.set(thenable, outcomes);
  return true;
}

function replaceThen(thenable: Thenable, tell: (how: 'returned' | 'threw', what: unknown) => void): void {
  const { then } = thenable;
  define(thenable, 'then', function (this: unknown, onFulfilled, onRejected, ...more) {
    const fulfilled = (value: unknown): unknown => {
      tell('returned', value);
      return typeof onFulfilled === 'function' ? onFulfilled(value) : value;
    };
    const rejected = (thrown: unknown): unknown => {
      tell('threw', thrown);
      if (typeof onRejected === 'function') return onRejected(thrown);
      throw thrown;
    };
    return Reflect.apply(then, this, [fulfilled, rejected, ...more]);
  });
  // A class that overrides these need not go through its own `then`.
  if (hasMethod(thenable, 'catch')) {
    define(thenable, 'catch', function (this: Thenable, onRejected) {
      return this.then(undefined, onRejected);
    });
  }
  if (hasMethod(thenable, 'finally')) {
    define(thenable, 'finally', function (this: Thenable, onFinally) {
      if (typeof onFinally !== 'function') return this.then(onFinally, onFinally);
      return this.then(
        async (value: unknown) => {
          await onFinally();
          return value;
        },
        async (thrown: unknown) => {
          await onFinally();
          throw thrown;
        },
      );
    });
  }
}

function hasMethod(value: object, name: string): boolean {
  return typeof (value as Record<string, unknown>)[name] === 'function';
}

function define(target: object, name: string, method: (this: Thenable, ...args: unknown[]) => unknown): void {
  Object.defineProperty(target, name, { value: method, writable: true, configurable: true });
}
