import { performance } from 'node:perf_hooks';
import { elapsedMs } from './clock.js';

/** Milliseconds for which the thread must have waited until the run counts as waiting. */
const WAITING = 1;

/**
 * Where this replay stands in the recording's time. A recorded event that happens sets it to that event's time, and so
 * does a timer of the agent's that is over. It stands there while the run's code computes, however slow this machine
 * is, and goes on as real time does once the run waits (for a timer, a file).
 */
export class RecordedTime {
  #time = 0;
  #at = elapsedMs();
  #idleAt = idleMs();

  /** What the recording has at `time` has happened. Never goes back. */
  reached(time: number): void {
    this.#time = Math.max(this.#time, time);
    this.#at = elapsedMs();
    this.#idleAt = idleMs();
  }

  /** Time of the latest thing that happened. */
  get latest(): number {
    return this.#time;
  }

  /** The time now; not beyond `limit`, the time of what has yet to happen. */
  now(limit: number): number {
    return Math.max(this.#time, Math.min(this.#time + this.#waited(), limit));
  }

  /** Milliseconds since the last event; 0 where nobody has waited since. */
  #waited(): number {
    return idleMs() - this.#idleAt < WAITING ? 0 : elapsedMs() - this.#at;
  }
}

/** For how many milliseconds this thread's event loop has had nothing to do. */
function idleMs(): number {
  return performance.eventLoopUtilization().idle;
}
