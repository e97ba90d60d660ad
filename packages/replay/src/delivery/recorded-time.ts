import { elapsedMs } from './clock.js';

/**
 * Where this replay stands in the recording's time. A recorded start or end that happens sets it to that event's
 * time; in between it runs on, as the agent's own waits do.
 */
export class RecordedTime {
  #time = 0;
  #at = elapsedMs();

  /** What the recording has at `time` has happened. */
  reached(time: number): void {
    this.#time = Math.max(this.#time, time);
    this.#at = elapsedMs();
  }

  /** Time of the latest event that happened. */
  get latest(): number {
    return this.#time;
  }

  /** The time now; not beyond `limit`, the time of what has yet to happen. */
  now(limit: number): number {
    return Math.max(this.#time, Math.min(this.#time + elapsedMs() - this.#at, limit));
  }
}
