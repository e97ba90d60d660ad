import { types } from 'node:util';
import { isThenable, watchThenable } from './thenable.js';

/** How a function answered: by itself, or by a promise that settled. */
export type Answered = 'sync' | 'promise';

/** Told once, before the caller goes on. Neither may throw. */
export interface Outcome {
  /** Gives what the caller is to be given: the value, or what stands in for it. */
  readonly returned: (value: unknown, answered: Answered) => unknown;
  readonly threw: (thrown: unknown, answered: Answered) => void;
}

/**
 * Runs `body`, tells what came of it, and gives its caller the same: value for value, promise for promise, and
 * the very error that was thrown. Only a stream that cannot be watched in place is stood in for.
 */
export function observe(body: () => unknown, outcome: Outcome): unknown {
  let result: unknown;
  try {
    result = body();
  } catch (thrown) {
    outcome.threw(thrown, 'sync');
    throw thrown;
  }
  if (types.isPromise(result) && isPlainPromise(result)) return observePromise(result, outcome);
  if (isThenable(result) && watchThenable(result, outcome)) return result;
  return outcome.returned(result, 'sync');
}

/** A promise of any realm whose class adds nothing: not a subclass with methods of its own. */
function isPlainPromise(promise: Promise<unknown>): boolean {
  const promisePrototype: object | null = Object.getPrototypeOf(promise);
  const objectPrototype: object | null = promisePrototype && Object.getPrototypeOf(promisePrototype);
  return objectPrototype !== null && Object.getPrototypeOf(objectPrototype) === null;
}

/**
 * The caller gets the promise that follows ours, not the original: only so is the outcome told first, and a
 * rejection that nobody handles stays unhandled. What the original carries (`promise.cancel = …`) goes with it.
 */
function observePromise(promise: Promise<unknown>, outcome: Outcome): Promise<unknown> {
  const followed = promise.then(
    (value) => outcome.returned(value, 'promise'),
    (thrown: unknown) => {
      outcome.threw(thrown, 'promise');
      throw thrown;
    },
  );
  for (const key of Object.getOwnPropertyNames(promise)) {
    Object.defineProperty(followed, key, Object.getOwnPropertyDescriptor(promise, key) as PropertyDescriptor);
  }
  return followed;
}
