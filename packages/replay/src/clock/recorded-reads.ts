import type { ClockRead } from '@stepfork/trace-format';

/** One time that the recorded agent read off a clock. */
export interface RecordedRead {
  /** Its place in the recorded log: between the entry before and the entry after it. */
  readonly position: number;
  readonly read: ClockRead;
}

/**
 * What the recorded agent read off its clocks, for a run recorded with `clock: true`. A read is given what the
 * recording has read in the same place, that is since the same event, in order. An agent that reads more often there
 * than it did takes nothing from other places.
 */
export class RecordedReads {
  readonly #reads: readonly RecordedRead[];
  readonly #taken: { [clock in ClockRead[0]]: number } = { date: 0, performance: 0 };

  /** @param reads in the order of the log */
  constructor(reads: readonly RecordedRead[]) {
    this.#reads = reads;
  }

  /**
   * @param after place of what happened last
   * @param before place of what has to happen next
   * @returns null where the recorded agent did not read that clock there, or not so often
   */
  next(clock: ClockRead[0], after: number, before: number): number | null {
    let at = this.#taken[clock];
    while (at < this.#reads.length) {
      const { position, read } = this.#reads[at] as RecordedRead;
      if (position >= before) break;
      at++;
      if (position < after || read[0] !== clock) continue;
      this.#taken[clock] = at;
      return read[1];
    }
    this.#taken[clock] = at;
    return null;
  }
}
