import type { Cancellation, StreamObserver } from './observer.js';

/** The end of a web stream as whoever reads it from now on is given it. Also of one that was cancelled. */
const READ_TO_ITS_END = (observer: StreamObserver): void => observer.ended();

/** Passes on what is told of a web stream by each of its readers, and remembers how it ended. */
export class WebWatch implements StreamObserver {
  readonly #observer: StreamObserver;
  #over: ((observer: StreamObserver) => void) | null = null;

  constructor(observer: StreamObserver) {
    this.#observer = observer;
  }

  /** What whoever reads the stream from now on is given at once; null while it is not over. */
  get over(): ((observer: StreamObserver) => void) | null {
    return this.#over;
  }

  get isDone(): boolean {
    return this.#observer.isDone;
  }

  inside<T>(step: () => T): T {
    return this.#observer.inside(step);
  }

  outside<T>(step: () => T): T {
    return this.#observer.outside(step);
  }

  chunk(value: unknown): void {
    this.#observer.chunk(value);
  }

  ended(): void {
    this.#over ??= READ_TO_ITS_END;
    this.#observer.ended();
  }

  failed(thrown: unknown): void {
    this.#over ??= (observer) => observer.failed(thrown);
    this.#observer.failed(thrown);
  }

  cancelled(how?: Cancellation): void {
    this.#over ??= READ_TO_ITS_END;
    this.#observer.cancelled(how);
  }
}
