import type { Outcome, observe } from './observe.js';

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

type Follow = typeof observe;

/** Who waits for a thenable's outcome. One thenable may be answered to many calls. */
const waiting = new WeakMap<object, Outcome[]>();

/**
 * Learns a thenable's outcome from its own user. Many are lazy (asking a query builder runs the query), so nobody
 * may ask but the user, and the object must stay the one that was returned, private fields and all: its methods are
 * replaced in place. False where that is not possible.
 *
 * @param follow learns the outcome of what the object's own `catch` answers
 */
export function watchThenable(thenable: Thenable, outcome: Outcome, follow: Follow): boolean {
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
    asked: 0,
  };
  try {
    replaceThen(thenable, teller);
    for (const name of ['catch', 'finally'] as const) replaceAsker(thenable, name, teller, follow);
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
  /** How often `then` was called. */
  asked: number;
}

function replaceThen(thenable: Thenable, teller: Teller): void {
  const { then } = thenable;
  define(thenable, 'then', function (this: unknown, onFulfilled, onRejected, ...more) {
    teller.asked++;
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
}

/**
 * `catch` and `finally` keep the meaning that their class gives them. Most go through `then`; of those that do not, the
 * outcome is what they answer, unless the user's own handler had a hand in that.
 */
function replaceAsker(thenable: Thenable, name: 'catch' | 'finally', teller: Teller, follow: Follow): void {
  const original: unknown = (thenable as Partial<Record<typeof name, unknown>>)[name];
  if (typeof original !== 'function') return;
  define(thenable, name, function (this: Thenable, ...args) {
    const asked = teller.asked;
    /** The user's handler answers in place of the thenable. */
    let isAnswered = false;
    const handle: unknown = args.at(-1);
    if (typeof handle === 'function') {
      args[args.length - 1] = new Proxy(handle, {
        apply(_handle, self, given: unknown[]) {
          isAnswered = true;
          if (name === 'catch') teller.threw(given[0]);
          const answer: unknown = Reflect.apply(handle, self, given);
          if (name === 'finally') isAnswered = isThenable(answer);
          return answer;
        },
      });
    }
    const answer: unknown = Reflect.apply(original, this, args);
    if (teller.asked > asked || !isThenable(answer)) return answer;
    return follow(() => answer, {
      returned: (value) => (isAnswered ? value : teller.returned(value)),
      threw: (thrown) => isAnswered || teller.threw(thrown),
    });
  });
}

function define(target: object, name: string, method: (this: Thenable, ...args: unknown[]) => unknown): void {
  Object.defineProperty(target, name, { value: method, writable: true, configurable: true });
}
