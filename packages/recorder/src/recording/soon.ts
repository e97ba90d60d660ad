import { nextTick } from '../clock.js';

/**
 * Writes that whoever consumes a stream need not wait for. They are made in their order, before the next thing that is
 * written, and at the latest when the present turn of the event loop has no more promise callbacks: nothing that the
 * agent asks of the outside has come back by then.
 */
export class Soon<Log> {
  readonly #make: (write: (log: Log) => void) => void;
  #waiting: ((log: Log) => void)[] = [];

  /** @param make makes a write, and has `settle` called before it does */
  constructor(make: (write: (log: Log) => void) => void) {
    this.#make = make;
  }

  /** @param write of nothing that can change until it is made */
  add(write: (log: Log) => void): void {
    if (this.#waiting.push(write) === 1) nextTick(() => this.#waiting.length > 0 && this.#make(() => {}));
  }

  settle(log: Log): void {
    if (this.#waiting.length === 0) return;
    const due = this.#waiting;
    this.#waiting = [];
    for (const write of due) write(log);
  }
}
