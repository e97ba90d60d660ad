import type { ReadableStreamReadResult } from 'node:stream/web';
import { observe } from '../observe.js';
import { cancelWatched } from './cancel-watched.js';
import type { StreamObserver } from './observer.js';
import { replaceMethod } from './replace-method.js';

/** Watches a reader of a web stream, of whatever mode, by own methods on the very object. */
export function watchReader(reader: ReadableStreamDefaultReader, watch: StreamObserver): void {
  const state = new ReaderState(watch);
  const closed = reader.closed;
  // Settled before the read that gave the last chunk, so that it is known when that chunk is given.
  closed.then(
    () => state.sourceEnded(),
    (thrown: unknown) => state.sourceFailed(thrown),
  );
  replaceMethod(reader, 'read', (read) => (self, args) => {
    if (self !== reader) return read(self, args);
    state.reading++;
    const outcome = {
      returned: (result: unknown) => {
        state.read(result as ReadableStreamReadResult<unknown>);
        return result;
      },
      threw: () => state.readFailed(),
    };
    return observe(() => watch.inside(() => read(self, args)), outcome, { belongs: 'own' });
  });
  replaceMethod(reader, 'cancel', (cancel) => (self, args) => {
    const cancelSource = (): Promise<void> => watch.inside(() => cancel(self, args)) as Promise<void>;
    return self === reader ? state.cancel(cancelSource) : cancelSource();
  });
  replaceMethod(reader, 'releaseLock', (release) => (self, args) => {
    release(self, args);
    if (self === reader) state.isReleased = true;
  });
  Object.defineProperty(reader, 'closed', {
    get() {
      state.endIsAwaited();
      return closed;
    },
    configurable: true,
  });
}

class ReaderState {
  readonly #watch: StreamObserver;
  /** How many reads have not been answered. */
  reading = 0;
  isReleased = false;
  #hasEnded = false;
  #failure: { readonly thrown: unknown } | null = null;
  /** Somebody waits for the end without reading to it. */
  #isAwaited = false;

  constructor(watch: StreamObserver) {
    this.#watch = watch;
  }

  read({ done, value }: ReadableStreamReadResult<unknown>): void {
    this.reading--;
    if (done) this.#watch.ended();
    else this.#watch.chunk(value);
  }

  /** Of a reader that is released, and of a buffer that cannot be read into, the stream knows nothing. */
  readFailed(): void {
    this.reading--;
    if (this.#failure !== null && !this.isReleased) this.#watch.failed(this.#failure.thrown);
  }

  cancel(cancelSource: () => Promise<void>): Promise<void> {
    if (this.isReleased) return cancelSource();
    return cancelWatched(this.#watch, { sourceEnded: this.#hasEnded, reading: this.reading > 0 }, cancelSource);
  }

  sourceEnded(): void {
    this.#hasEnded = true;
    this.#tellEnd();
  }

  sourceFailed(thrown: unknown): void {
    if (this.isReleased) return;
    this.#failure = { thrown };
    this.#tellEnd();
  }

  endIsAwaited(): void {
    this.#isAwaited = true;
    this.#tellEnd();
  }

  #tellEnd(): void {
    if (!this.#isAwaited || this.reading > 0 || this.isReleased) return;
    if (this.#hasEnded) this.#watch.ended();
    else if (this.#failure !== null) this.#watch.failed(this.#failure.thrown);
  }
}
