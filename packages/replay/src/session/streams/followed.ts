import { types } from 'node:util';

/**
 * What a recorder's consumer was given for a promise: one that follows it, a turn of the promise queue later. Branches
 * that race each other by promise callbacks alone are so decided as they were.
 */
export function followed<T>(answer: T): T {
  return types.isPromise(answer) ? (answer.then((value) => value) as T) : answer;
}
