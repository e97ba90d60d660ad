import { types } from 'node:util';
import { isStepforkError } from '@stepfork/trace-format/write';
import { type Belongs, followPromise, isPlainPromise } from './promise/follow.js';
import { isThenable, watchThenable } from './thenable.js';

/** How a function answered: by itself, or by a promise that settled. */
export type Answered = 'sync' | 'promise';

/** Told once, before the caller goes on. Neither may throw, but for a refusal of what was returned. */
export interface Outcome {
  /**
   * Gives what the caller is to be given: the value, or what stands in for it. What a plain promise comes to can only
   * be stood in for where it `mayDiffer`.
   */
  readonly returned: (value: unknown, answered: Answered) => unknown;
  readonly threw: (thrown: unknown, answered: Answered) => void;
}

/** What is known of an answer before there is one. */
export interface Expected {
  /** Whose a promise is that comes: `shared` unless said otherwise. */
  readonly belongs?: Belongs;
  /** The caller may be given another value, or an error, than the promise comes to: so another promise as well. */
  readonly mayDiffer?: boolean;
}

/**
 * Runs `body`, tells what came of it, and gives its caller the same: the very value, promise or error. Only a stream
 * that cannot be watched in place is stood in for.
 */
export function observe(body: () => unknown, outcome: Outcome, expected: Expected = {}): unknown {
  let result: unknown;
  try {
    result = body();
  } catch (thrown) {
    try {
      outcome.threw(thrown, 'sync');
    } catch {
      // Not even that could be called, deep in a recursion of the agent's.
    }
    throw thrown;
  }
  try {
    return answer(result, outcome, expected);
  } catch (error) {
    if (isStepforkError(error)) throw error;
    return result;
  }
}

function answer(result: unknown, outcome: Outcome, { belongs = 'shared', mayDiffer = false }: Expected): unknown {
  if (types.isPromise(result) && isPlainPromise(result)) {
    if (mayDiffer) return passThrough(result, outcome);
    followPromise(result, outcome, belongs);
    return result;
  }
  if (isThenable(result) && watchThenable(result, outcome, observe)) return result;
  return outcome.returned(result, 'sync');
}

/** Another promise, which follows the first; with all that was set on that. */
function passThrough(promise: Promise<unknown>, outcome: Outcome): Promise<unknown> {
  const following = promise.then(
    (value) => outcome.returned(value, 'promise'),
    (thrown: unknown) => {
      outcome.threw(thrown, 'promise');
      throw thrown;
    },
  );
  for (const key of Reflect.ownKeys(promise)) {
    Object.defineProperty(following, key, Object.getOwnPropertyDescriptor(promise, key) as PropertyDescriptor);
  }
  return following;
}
