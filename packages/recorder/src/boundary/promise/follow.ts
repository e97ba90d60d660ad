import type { Outcome } from '../observe.js';
import { isTeller, whenAsked } from './asked.js';
import { hidden } from './hidden.js';
import { unwatchUnasked, watchUnasked } from './unasked.js';

/**
 * Whose a promise is that a call answered with: `own`, made by the call itself, so that nobody has had it before; or
 * `shared`, which somebody else may hold and have asked.
 */
export type Belongs = 'own' | 'shared';

/** What is known of a promise that is followed. */
interface Followed {
  /** In the order in which the calls were answered; none once they were told. */
  readonly outcomes: Outcome[];
  isAsked: boolean;
  isTold: boolean;
}

const followed = hidden<Followed>();
const { then } = Promise.prototype;
const IGNORE = (): void => {};

/** A promise of any realm whose class adds nothing: not a subclass with methods of its own. */
export function isPlainPromise(promise: Promise<unknown>): boolean {
  let prototype: object | null = Object.getPrototypeOf(promise);
  while (prototype !== null && isTeller(prototype)) prototype = Object.getPrototypeOf(prototype);
  const objectPrototype: object | null = prototype && Object.getPrototypeOf(prototype);
  return objectPrototype !== null && Object.getPrototypeOf(objectPrototype) === null;
}

/**
 * Tells what a promise comes to before whoever asks it goes on, and leaves it the promise that it is: the same object,
 * as fast, with the same rejections unhandled.
 *
 * To listen to a rejection makes it count as handled. Of a promise that nobody has had before, the listener therefore
 * rejects in turn while nobody else has asked. One that somebody may have asked before is listened to when it is asked
 * again, or once it is seen to be fulfilled.
 */
export function followPromise(promise: Promise<unknown>, outcome: Outcome, belongs: Belongs): void {
  const before = followed.get(promise);
  if (before !== undefined && !before.isTold) {
    before.outcomes.push(outcome);
    return;
  }
  const state: Followed = { outcomes: [outcome], isAsked: before?.isAsked === true, isTold: false };
  followed.set(promise, state);
  if (state.isAsked || !Object.isExtensible(promise)) listen(promise, state);
  else if (belongs === 'own') listenRaising(promise, state);
  else listenWhenAsked(promise, state);
}

function listen(promise: Promise<unknown>, state: Followed): void {
  then.call(promise, tellReturned(state), (thrown) => tellThrew(state, thrown));
}

function listenRaising(promise: Promise<unknown>, state: Followed): void {
  const listening = then.call(promise, tellReturned(state), (thrown) => {
    tellThrew(state, thrown);
    if (!state.isAsked) throw thrown;
  });
  whenAsked(promise, () => {
    state.isAsked = true;
    // It may have rejected a moment ago, which counts for nothing where somebody asks in the same turn.
    then.call(listening, undefined, IGNORE);
  });
}

function listenWhenAsked(promise: Promise<unknown>, state: Followed): void {
  whenAsked(promise, () => {
    state.isAsked = true;
    unwatchUnasked(promise);
    listen(promise, state);
  });
  // That asks it.
  watchUnasked(promise, state, () => then.call(promise, undefined, IGNORE));
}

function tellReturned(state: Followed): (value: unknown) => void {
  return (value) => {
    state.isTold = true;
    for (const outcome of state.outcomes.splice(0)) {
      try {
        outcome.returned(value, 'promise');
      } catch {
        // The agent's own result is there already, whatever becomes of the recorder.
      }
    }
  };
}

function tellThrew(state: Followed, thrown: unknown): void {
  state.isTold = true;
  for (const outcome of state.outcomes.splice(0)) outcome.threw(thrown, 'promise');
}
