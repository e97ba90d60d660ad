import { performance } from 'node:perf_hooks';
import timers from 'node:timers';

// Taken when the module loads: a test runner's fake timers must not stop a replay.
export const { setImmediate, setInterval, clearInterval } = timers;
export const { queueMicrotask } = globalThis;

const now = performance.now.bind(performance);

/** Milliseconds since some moment; never set back. */
export function elapsedMs(): number {
  return now();
}
