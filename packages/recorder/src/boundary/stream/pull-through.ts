import type {
  ReadableByteStreamController,
  ReadableStreamBYOBReader,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
} from 'node:stream/web';
import type { StreamObserver } from './observer.js';

type Reader =
  | { readonly mode: 'default'; readonly reader: ReadableStreamDefaultReader }
  | { readonly mode: 'byob'; readonly reader: ReadableStreamBYOBReader };

/** Also of a stream that was cancelled. */
const READ_TO_ITS_END = (observer: StreamObserver): void => observer.ended();

/** Of the stream that the consumer is given. */
export type Controller = ReadableStreamDefaultController | ReadableByteStreamController;

/** Reads the source of a web stream when its consumer reads, tells what came, and passes it on. */
export class PullThrough {
  readonly #source: ReadableStream;
  readonly #watch: StreamObserver;
  /** Taken at the first use: until then the source is as free as it was. */
  #current: Reader | null = null;
  #sourceEnded = false;
  #over: ((observer: StreamObserver) => void) | null = null;
  #isReading = false;
  /** Somebody waits for the end without reading to it. */
  #endIsAwaited = false;
  #to: Controller | null = null;

  constructor(source: ReadableStream, watch: StreamObserver) {
    this.#source = source;
    this.#watch = watch;
  }

  /** What whoever reads the stream from now on is given at once; null while it is not over. */
  get over(): ((observer: StreamObserver) => void) | null {
    return this.#over;
  }

  /** The stream that the consumer is given. */
  start(to: Controller): void {
    this.#to = to;
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
    this.#passOnEnd();
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
    this.#passOnEnd();
  }

  /** From now on the end is passed on when it comes, and not when it is read. */
  awaitEnd(): void {
    this.#endIsAwaited = true;
    if (this.#current === null && this.#over === null) this.#defaultReader();
    this.#passOnEnd();
  }

  cancel(reason: unknown): Promise<void> {
    this.#over = READ_TO_ITS_END;
    this.#watch.cancelled({ sourceEnded: this.#sourceEnded });
    return this.#watch.inside(() => (this.#current?.reader ?? this.#source).cancel(reason));
  }

  /** Null where the stream was cancelled in the meantime, so that nobody is given what came. */
  async #step<T>(read: () => Promise<T>): Promise<T | null> {
    this.#isReading = true;
    try {
      const result = await this.#watch.inside(read);
      return this.#over === null ? result : null;
    } catch (thrown) {
      if (this.#over !== null) return null;
      this.#fail(thrown);
      throw thrown;
    } finally {
      this.#isReading = false;
    }
  }

  #end(to: Controller): void {
    this.#over = READ_TO_ITS_END;
    this.#watch.ended();
    to.close();
  }

  #fail(thrown: unknown): void {
    this.#over = (observer) => observer.failed(thrown);
    this.#watch.failed(thrown);
  }

  #passOnEnd(): void {
    if (!this.#endIsAwaited || !this.#sourceEnded || this.#isReading || this.#over !== null || this.#to === null)
      return;
    this.#end(this.#to);
  }

  #passOnError(thrown: unknown): void {
    if (!this.#endIsAwaited || this.#isReading || this.#over !== null) return;
    this.#fail(thrown);
    this.#to?.error(thrown);
  }

  #defaultReader(): ReadableStreamDefaultReader {
    if (this.#current?.mode === 'default') return this.#current.reader;
    this.#release();
    const reader = this.#source.getReader();
    this.#take({ mode: 'default', reader });
    return reader;
  }

  #byteReader(): ReadableStreamBYOBReader {
    if (this.#current?.mode === 'byob') return this.#current.reader;
    this.#release();
    const reader = this.#source.getReader({ mode: 'byob' }) as ReadableStreamBYOBReader;
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
        this.#passOnEnd();
      },
      // Releasing the reader for another says so too.
      (thrown: unknown) => {
        if (this.#current === current) this.#passOnError(thrown);
      },
    );
  }
}
