import type {
  ReadableByteStreamController,
  ReadableStreamBYOBReader,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
} from 'node:stream/web';
import { cancelWatched } from './cancel-watched.js';
import type { StreamObserver } from './observer.js';

type Reader =
  | { readonly mode: 'default'; readonly reader: ReadableStreamDefaultReader }
  | { readonly mode: 'byob'; readonly reader: ReadableStreamBYOBReader };

/** Gives a reader of the source, which is not watched. */
export interface OpenReader {
  (): ReadableStreamDefaultReader;
  (options: { readonly mode: 'byob' }): ReadableStreamBYOBReader;
}

/** Of the stream that pulls. */
type Controller = ReadableStreamDefaultController | ReadableByteStreamController;

/** Reads the source of a web stream when the stream that pulls is read, tells what came, and passes it on. */
export class PullThrough {
  readonly #getReader: OpenReader;
  readonly #watch: StreamObserver;
  #current: Reader | null = null;
  #sourceEnded = false;
  #isOver = false;

  constructor(getReader: OpenReader, watch: StreamObserver) {
    this.#getReader = getReader;
    this.#watch = watch;
  }

  /** From now on the source is locked, as it is by whatever consumes it as a whole. */
  lock(): void {
    this.#defaultReader();
  }

  async pull(to: Controller): Promise<void> {
    const result = await this.#step(() => this.#defaultReader().read());
    if (result === null) return;
    if (result.done) {
      this.#end(to);
      return;
    }
    this.#watch.chunk(result.value);
    to.enqueue(result.value);
  }

  /** A consumer that brings its own buffer has the source fill it. */
  async pullBytes(to: ReadableByteStreamController): Promise<void> {
    const request = to.byobRequest;
    if (!request?.view) return this.pull(to);
    const { buffer, byteOffset, byteLength } = request.view;
    const result = await this.#step(() => this.#byteReader().read(new Uint8Array(buffer, byteOffset, byteLength)));
    if (result === null) return;
    if (result.done) this.#end(to);
    else this.#watch.chunk(result.value);
    if (result.value !== undefined) request.respondWithNewView(result.value);
  }

  cancel(reason: unknown): Promise<void> {
    this.#isOver = true;
    const cancelSource = (): Promise<void> => (this.#current?.reader ?? this.#defaultReader()).cancel(reason);
    const cancelled = cancelWatched(this.#watch, { sourceEnded: this.#sourceEnded }, () =>
      this.#watch.inside(cancelSource),
    );
    this.#release();
    return cancelled;
  }

  /** Null where the stream was cancelled in the meantime, so that nobody is given what came. */
  async #step<T>(read: () => Promise<T>): Promise<T | null> {
    try {
      const result = await this.#watch.inside(read);
      return this.#isOver ? null : result;
    } catch (thrown) {
      if (this.#isOver) return null;
      this.#isOver = true;
      this.#watch.failed(thrown);
      this.#release();
      throw thrown;
    }
  }

  #end(to: Controller): void {
    this.#isOver = true;
    this.#watch.ended();
    this.#release();
    to.close();
  }

  #defaultReader(): ReadableStreamDefaultReader {
    if (this.#current?.mode === 'default') return this.#current.reader;
    this.#release();
    const reader = this.#getReader();
    this.#take({ mode: 'default', reader });
    return reader;
  }

  #byteReader(): ReadableStreamBYOBReader {
    if (this.#current?.mode === 'byob') return this.#current.reader;
    this.#release();
    const reader = this.#getReader({ mode: 'byob' });
    this.#take({ mode: 'byob', reader });
    return reader;
  }

  #release(): void {
    const current = this.#current;
    this.#current = null;
    current?.reader.releaseLock();
  }

  #take(current: Reader): void {
    this.#current = current;
    // Settled before the read that gave the last chunk, so that it is known when that chunk is given.
    current.reader.closed.then(
      () => {
        this.#sourceEnded = true;
      },
      // Told by a read; releasing the reader for another says so too.
      () => {},
    );
  }
}
