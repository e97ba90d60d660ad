import { nextTick } from '../clock.js';

/**
 * Numbers the turns of the event loop in which something was recorded. Between two events of one turn lay nothing
 * but promise callbacks, so that a replay need not wait between them.
 */
export class Turns {
  #count = 0;
  #isOpen = false;

  /** The number of the present turn, counted from 1. */
  now(): number {
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#count++;
      // A tick that is asked for by a promise callback comes when all of those have run.
      nextTick(() => Promise.resolve().then(() => nextTick(() => this.#close())));
    }
    return this.#count;
  }

  #close(): void {
    this.#isOpen = false;
  }
}
