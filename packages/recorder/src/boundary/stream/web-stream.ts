import type { ReadableByteStreamController, ReadableStreamDefaultController } from 'node:stream/web';
import { cancelWatched } from './cancel-watched.js';
import type { StreamObserver, WatchedStream } from './observer.js';
import { type OpenReader, PullThrough } from './pull-through.js';
import { type Method, replaceMethod } from './replace-method.js';
import { watchReader } from './web-reader.js';
import { WebWatch } from './web-watch.js';

/**
 * Watches a web stream by own methods on the very object: its readers tell what they give. What consumes a stream as a
 * whole goes past all readers and methods, so that it is given another stream, which pulls through the first.
 *
 * @returns null for a stream that is locked, or cannot be changed
 */
export function patchWebStream(source: ReadableStream, observer: StreamObserver): WatchedStream | null {
  if (source.locked) return null;
  const watch = new WebWatch(observer);
  const isBytes = hasByteReader(source);
  const getReader = source.getReader.bind(source) as OpenReader;
  const isPatched = replaceMethod(source, 'getReader', (original) => (self, args) => {
    const reader = original(self, args);
    if (self === source) watchReader(reader as ReadableStreamDefaultReader, watch);
    return reader;
  });
  if (!isPatched) return null;
  replaceMethod(source, 'cancel', (cancel) => (self, args) => {
    const cancelSource = (): Promise<void> => watch.inside(() => cancel(self, args)) as Promise<void>;
    return self === source && !source.locked ? cancelWatched(watch, {}, cancelSource) : cancelSource();
  });
  const Base = baseClass(source);
  for (const name of Base === null ? [] : WHOLE) {
    // What somebody has put there instead reads by a reader in its turn.
    if (Reflect.get(source, name) !== Reflect.get(Base?.prototype ?? {}, name)) continue;
    replaceMethod(source, name, (original) => (self, args) => {
      const stream = self === source && !source.locked ? pulledThrough(Base, getReader, watch, isBytes) : null;
      return stream === null ? original(self, args) : Reflect.apply(Reflect.get(stream, name) as Method, stream, args);
    });
  }
  return { stream: source, kind: isBytes ? 'web-bytes' : 'web', over: () => watch.over };
}

/** Methods that consume a stream as a whole. */
const WHOLE = ['pipeTo', 'pipeThrough', 'tee', 'values', Symbol.asyncIterator] as const;

/** A stream that reads another when it is read; null where its class cannot be made. */
function pulledThrough(
  Base: typeof ReadableStream | null,
  getReader: OpenReader,
  watch: StreamObserver,
  isBytes: boolean,
): ReadableStream | null {
  if (Base === null) return null;
  const through = new PullThrough(getReader, watch);
  const cancel = (reason: unknown): Promise<void> => through.cancel(reason);
  // A queue of nothing: pulled only while somebody waits for a chunk.
  const strategy = { highWaterMark: 0 };
  let stream: ReadableStream;
  try {
    stream = isBytes
      ? new Base({ cancel, type: 'bytes', pull: (to: ReadableByteStreamController) => through.pullBytes(to) }, strategy)
      : new Base({ cancel, pull: (to: ReadableStreamDefaultController) => through.pull(to) }, strategy);
  } catch {
    return null;
  }
  through.lock();
  return stream;
}

/** The class that reads, of the stream's realm or library. */
function baseClass(source: ReadableStream): typeof ReadableStream | null {
  let prototype: object | null = Object.getPrototypeOf(source);
  while (prototype !== null && !Object.hasOwn(prototype, 'getReader')) prototype = Object.getPrototypeOf(prototype);
  return typeof prototype?.constructor === 'function' ? (prototype.constructor as typeof ReadableStream) : null;
}

function hasByteReader(source: ReadableStream): boolean {
  try {
    source.getReader({ mode: 'byob' }).releaseLock();
    return true;
  } catch {
    return false;
  }
}
