import { types } from 'node:util';

/**
 * What the agent's own callback gave, where an answer at once was asked for. Nobody awaits a promise that it gave
 * instead, so that its rejection must not end the process.
 */
export function answerOf<T>(given: T): T {
  try {
    if (types.isPromise(given)) Promise.prototype.then.call(given, undefined, () => {});
  } catch {
    // A promise of a class that cannot be asked is left alone.
  }
  return given;
}
