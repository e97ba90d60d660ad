import { performance } from 'node:perf_hooks';
import process from 'node:process';
import timers from 'node:timers';

// The functions themselves, taken when the module loads: a recording tells the real time, and leaves no trace in the
// fake timers of a test runner, also where those have replaced `Date`, `setImmediate` and `process.nextTick`.
const NativeDate = Date;
const { now } = NativeDate;
const { random: randomNumber } = Math;
export const { nextTick } = process;
export const { clearTimeout, setImmediate, setTimeout } = timers;

/** Milliseconds since the epoch. */
export function nowMs(): number {
  return now();
}

/** Whole milliseconds from `start` to now; never negative, whatever was done to the system's clock. */
export function elapsedMs(start: number): number {
  return Math.max(0, Math.round(now() - start));
}

/** Milliseconds since the epoch, with a fraction, from which `performance.now()` counts. */
export function timeOrigin(): number {
  return performance.timeOrigin;
}

/** IANA name of the local time zone. */
export function timeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** True with the given probability, from 0 to 1. */
export function chance(probability: number): boolean {
  return randomNumber() < probability;
}
