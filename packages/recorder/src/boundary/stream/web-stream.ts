import type { ReadableByteStreamController, ReadableStreamDefaultController } from 'node:stream/web';
import type { StreamObserver, WatchedStream } from './observer.js';
import { type Controller, PullThrough } from './pull-through.js';
import { replaceMethod } from './replace-method.js';

/**
 * Watches a web stream by another of the same class, which pulls through it: pipes and readers go past all methods, and
 * a `tee` would read ahead and leave its source running. Nothing is asked of the source before the consumer asks.
 *
 * @returns null for a stream that is locked, and for one of a class with methods of its own, which may use private
 * fields that cannot be stood in for
 */
export function wrapWebStream(source: ReadableStream, watch: StreamObserver): WatchedStream | null {
  const Base = baseClass(source);
  if (Base === null || source.locked) return null;
  const through = new PullThrough(source, watch);
  const ends: { start: (to: Controller) => void; cancel: (reason: unknown) => Promise<void> } = {
    start: (to) => through.start(to),
    cancel: (reason) => through.cancel(reason),
  };
  // A queue of nothing: pulled only while somebody waits for a chunk.
  const strategy = { highWaterMark: 0 };
  const isBytes = hasByteReader(source);
  const stream = isBytes
    ? new Base({ ...ends, type: 'bytes', pull: (to: ReadableByteStreamController) => through.pullBytes(to) }, strategy)
    : new Base({ ...ends, pull: (to: ReadableStreamDefaultController) => through.pull(to) }, strategy);
  watchClosed(stream, through);
  Object.setPrototypeOf(stream, Object.getPrototypeOf(source));
  for (const key of Reflect.ownKeys(source)) {
    // What a fresh stream has too is the class's own state.
    if (Object.hasOwn(stream, key)) continue;
    Object.defineProperty(stream, key, Object.getOwnPropertyDescriptor(source, key) as PropertyDescriptor);
  }
  return { stream, kind: isBytes ? 'web-bytes' : 'web', over: () => through.over };
}

/** Who asks a reader for `closed` waits for the end of the stream, though it may read nothing. */
function watchClosed(stream: object, through: PullThrough): void {
  replaceMethod(stream, 'getReader', (getReader) => (self, args) => {
    const reader = getReader(self, args) as object;
    Object.defineProperty(reader, 'closed', {
      get() {
        through.awaitEnd();
        return Reflect.get(Object.getPrototypeOf(reader), 'closed', reader);
      },
      configurable: true,
    });
    return reader;
  });
}

/** The class itself, of the source's realm or library; null where more lies between it and the source. */
function baseClass(source: ReadableStream): typeof ReadableStream | null {
  let prototype: object | null = Object.getPrototypeOf(source);
  // Node makes the streams of a transform, of `tee` and of `from` by an inner class that has nothing.
  while (prototype !== null && Reflect.ownKeys(prototype).every((key) => key === 'constructor')) {
    prototype = Object.getPrototypeOf(prototype);
  }
  if (prototype === null || !Object.hasOwn(prototype, 'getReader')) return null;
  return typeof prototype.constructor === 'function' ? (prototype.constructor as typeof ReadableStream) : null;
}

function hasByteReader(source: ReadableStream): boolean {
  try {
    source.getReader({ mode: 'byob' }).releaseLock();
    return true;
  } catch {
    return false;
  }
}
