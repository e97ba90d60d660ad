import timers from 'node:timers';

/** As it was when the module was loaded: a test runner may replace it. */
const { setImmediate } = timers;

/** Settles when whatever has been told has been heard. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
