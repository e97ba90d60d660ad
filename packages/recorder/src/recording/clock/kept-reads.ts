import type { ClockRead } from '@stepfork/trace-format/write';
import { watchClock } from './watch-clock.js';

/**
 * Reads that are kept between two events. Who waits in a loop for the time to come reads without end, and a replay's
 * own clock serves that.
 */
const MOST = 1000;

/** What a run has read off the clock since its last event. */
export class KeptReads {
  readonly #unwatch = watchClock();
  #reads: ClockRead[] = [];

  keep(read: ClockRead): void {
    // A time that is none comes of somebody's fake clock, and has no form in a bundle.
    if (this.#reads.length < MOST && Number.isFinite(read[1])) this.#reads.push(read);
  }

  /** What has been read since this was last asked. */
  take(): readonly ClockRead[] {
    const reads = this.#reads;
    if (reads.length > 0) this.#reads = [];
    return reads;
  }

  stop(): void {
    this.#unwatch();
  }
}
