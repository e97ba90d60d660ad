import { AsyncResource } from 'node:async_hooks';

/** As it was when the module was loaded: fake timers of a test runner may replace it. */
const { queueMicrotask } = globalThis;

/** Tells a program one thing. */
export type Tell = () => void;

/** What has come for a program that it is not to be told yet, in order. */
export class Untold {
  readonly #waiting: Tell[] = [];
  #isOver = false;

  /** Whether nothing waits any more: a program is told all as it comes. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Told later, in the async context of now. Gives what `tellUpTo` takes. */
  add(tell: Tell): Tell {
    const bound = AsyncResource.bind(tell);
    this.#waiting.push(bound);
    if (this.#isOver) this.#tell(this.#waiting.length);
    return bound;
  }

  tellUpTo(last: Tell): void {
    this.#tell(this.#waiting.indexOf(last) + 1);
  }

  tellAll(): void {
    this.#isOver = true;
    this.#tell(this.#waiting.length);
  }

  /** Each for itself: what a listener throws is the program's, and keeps nothing of the rest back. */
  #tell(count: number): void {
    for (const tell of this.#waiting.splice(0, count)) queueMicrotask(tell);
  }
}
