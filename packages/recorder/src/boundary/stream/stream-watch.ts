import type { Act, Cancellation, StreamObserver } from './observer.js';

/** Who observes one stream: it may be answered to many calls, as a tool does that returns the stream of another. */
export class StreamWatch implements StreamObserver {
  /** In the order in which the calls were answered: the innermost of nested ones first. */
  readonly #observers = new Set<StreamObserver>();

  add(observer: StreamObserver): void {
    // A stream that lives as long as the process is given in many runs.
    for (const each of this.#observers) if (each.isDone) this.#observers.delete(each);
    this.#observers.add(observer);
  }

  get isDone(): boolean {
    return [...this.#observers].every(({ isDone }) => isDone);
  }

  /** The first call made the stream, so its frame is the one that the step sees. */
  inside<T>(step: () => T): T {
    return this.#nested((observer, inner) => observer.inside(inner), [...this.#observers].reverse(), step);
  }

  outside<T>(step: () => T): T {
    return this.#nested((observer, inner) => observer.outside(inner), [...this.#observers], step);
  }

  isConsumer(): boolean {
    return [...this.#observers].some((observer) => observer.isConsumer?.() === true);
  }

  chunk(value: unknown, act?: Act): void {
    for (const observer of this.#observers) observer.chunk(value, act);
  }

  ended(returned?: unknown, act?: Act): void {
    for (const observer of this.#observers) observer.ended(returned, act);
  }

  failed(thrown: unknown, act?: Act): void {
    for (const observer of this.#observers) observer.failed(thrown, act);
  }

  cancelled(how?: Cancellation): void {
    for (const observer of this.#observers) observer.cancelled(how);
  }

  /** `enter` for each observer around the next one's, and around the step. */
  #nested<T>(
    enter: (observer: StreamObserver, inner: () => T) => T,
    [first, ...rest]: readonly StreamObserver[],
    step: () => T,
  ): T {
    return first === undefined ? step() : enter(first, () => this.#nested(enter, rest, step));
  }
}
