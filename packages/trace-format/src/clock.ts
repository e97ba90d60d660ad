import { randomUUID } from 'node:crypto';
import { formatTimestamp } from './timestamp.js';

/** Taken when the module loads: a program, or a test runner's fake timers, may put another `Date` in its place. */
const { now } = Date;

/** Milliseconds since the epoch. */
export function nowMs(): number {
  return now();
}

/** The current time as the format writes it. */
export function timestampNow(): string {
  return formatTimestamp(nowMs());
}

/** A fresh run id: `run_` and 32 hex digits. */
export function newRunId(): string {
  return `run_${randomHex()}`;
}

/** A fresh event id: `evt_` and 32 hex digits. */
export function newEventId(): string {
  return `evt_${randomHex()}`;
}

function randomHex(): string {
  return randomUUID().replaceAll('-', '');
}
