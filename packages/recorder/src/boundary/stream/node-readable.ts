import type { StreamObserver } from './observer.js';
import { replaceMethod } from './replace-method.js';

/** What is looked at of a Node stream, of whatever version of the class. */
interface ReadableLike {
  readonly readableLength?: unknown;
  readonly readableEnded?: unknown;
  readonly destroyed?: unknown;
  readonly closed?: unknown;
  readonly errored?: unknown;
  readonly _readableState?: { readonly ended?: unknown; readonly emitClose?: unknown };
}

/**
 * Watches a Node stream by own methods on the very object. Whoever reads it, by `data` listeners, `pipe`, `read()` or
 * an async iterator, each chunk goes through `emit`.
 *
 * @returns the stream, or null
 */
export function patchReadable(stream: object, watch: StreamObserver): object | null {
  let closed: () => void = () => {};
  const cleaned = emitsClose(stream)
    ? new Promise<void>((resolve) => {
        closed = resolve;
      })
    : undefined;
  /** What its consumer destroyed it with. */
  let stopError: unknown = null;
  const tell: { readonly [event: string]: (argument: unknown) => void } = {
    data: (chunk) => watch.chunk(chunk),
    end: () => watch.ended(),
    error: (error) => {
      if (isStop(error)) watch.cancelled();
      else if (error !== stopError) watch.failed(error);
    },
    close: () => {
      watch.cancelled({ sourceEnded: hasGivenAll(stream) });
      closed();
    },
  };
  const isPatched = replaceMethod(stream, 'emit', (emit) => (self, args) => {
    const [event, argument] = args;
    if (typeof event === 'string' && Object.hasOwn(tell, event)) tell[event]?.(argument);
    return watch.outside(() => emit(self, args));
  });
  if (!isPatched) return null;
  // Its `close` comes later than the consumer goes on, and not at all from some. An error is told when it is emitted.
  replaceMethod(stream, 'destroy', (destroy) => (self, args) => {
    // Whoever reads may give up with an error of its own, as `pipeline` does for a connection that is gone.
    if ((stream as ReadableLike).destroyed !== true && (isStop(args[0]) || watch.isConsumer?.() === true)) {
      stopError = args[0];
      const sourceEnded = hasGivenAll(stream);
      // A stream that flows gives what it holds all the same, before any promise goes on.
      Promise.resolve().then(() => watch.cancelled({ sourceEnded, ...(cleaned && { cleaned }) }));
    }
    return destroy(self, args);
  });
  replaceMethod(stream, '_read', (read) => (self, args) => watch.inside(() => read(self, args)));
  return stream;
}

/** What a stream tells nobody any more, as it ended or closed before. */
export function overOf(stream: ReadableLike): ((observer: StreamObserver) => void) | null {
  const { errored } = stream;
  if (stream.readableEnded === true) return (observer) => observer.ended();
  if (stream.closed !== true) return null;
  return errored === undefined || errored === null
    ? (observer) => observer.cancelled()
    : (observer) => observer.failed(errored);
}

/** The source has ended and its last chunk was given, though `end` is still to be emitted. */
function hasGivenAll(stream: ReadableLike): boolean {
  return stream._readableState?.ended === true && stream.readableLength === 0;
}

function emitsClose(stream: ReadableLike): boolean {
  return stream._readableState?.emitClose === true;
}

/** What a stream is destroyed with by who wants no more: nothing, or the error that leaving a loop makes of it. */
function isStop(error: unknown): boolean {
  if (error === undefined || error === null) return true;
  // An abort by a signal has its cause, and is an error to whoever reads.
  return (error as { code?: unknown }).code === 'ABORT_ERR' && !Object.hasOwn(error, 'cause');
}
