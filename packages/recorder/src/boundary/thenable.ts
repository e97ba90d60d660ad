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
  /** What stands in for the values that it came to, for whoever asks again. */
  const standIns = new Map<unknown, unknown>();
  const teller: Teller = {
    returned: (value) => {
      const given = outcomes
        .splice(0)
        .reduce<unknown>((at, each) => each.returned(at, 'promise'), standIns.get(value) ?? value);
      if (given !== value) standIns.set(value, given);
      return given;
    },
    threw: (thrown) => {
      for (const each of outcomes.splice(0)) each.threw(thrown, 'promise');
    },
  };
  try {
    replaceThen(thenable, teller);
  } catch {
    return false;
  }
  waiting.set(thenable, outcomes);
  return true;
}

interface Teller {
  /** Gives what the thenable's user is to be given. */
  readonly returned: (value: unknown) => unknown;
  readonly threw: (thrown: unknown) => void;
}

function replaceThen(thenable: Thenable, teller: Teller): void {
  const { then } = thenable;
  define(thenable, 'then', function (this: unknown, onFulfilled, onRejected, ...more) {
    const fulfilled = (value: unknown): unknown => {
      const given = teller.returned(value);
      return typeof onFulfilled === 'function' ? onFulfilled(given) : given;
    };
    const rejected = (thrown: unknown): unknown => {
      teller.threw(thrown);
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
