// The functions themselves, taken when the module loads: a recording tells the real time also where a test
// runner's fake timers have replaced `Date`.
const NativeDate = Date;
const { now } = NativeDate;
const { random: randomNumber } = Math;

/** Milliseconds since the epoch. */
export function nowMs(): number {
  return now();
}

/** Whole milliseconds from `start` to now; never negative, whatever was done to the system's clock. */
export function elapsedMs(start: number): number {
  return Math.max(0, Math.round(now() - start));
}

/** IANA name of the local time zone. */
export function timeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** True with the given probability, from 0 to 1. */
export function chance(probability: number): boolean {
  return randomNumber() < probability;
}
