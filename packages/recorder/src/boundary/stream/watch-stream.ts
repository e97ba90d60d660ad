import { patchAsyncIterable } from './async-iterable.js';
import { patchIterator } from './iterator.js';
import { overOf, patchReadable } from './node-readable.js';
import type { StreamObserver, WatchedStream } from './observer.js';
import { streamKind } from './stream-kind.js';
import { StreamWatch } from './stream-watch.js';
import { patchWebStream } from './web-stream.js';

interface Entry extends WatchedStream {
  readonly watch: StreamWatch;
}

/** By the stream, and by what stands in for it. */
const entries = new WeakMap<object, Entry>();

/**
 * Has an observer told of what the consumer of a stream is given. A stream that is watched already is not changed a
 * second time: the observer joins those that it has.
 *
 * @param inPlace nothing may stand in for the stream
 * @returns null for a stream that cannot be watched, left as it was
 */
export function watchStream(
  stream: object,
  kind: NonNullable<ReturnType<typeof streamKind>>,
  observer: StreamObserver,
  inPlace = false,
): WatchedStream | null {
  const entry = entries.get(stream) ?? enter(stream, kind);
  if (entry === null || (inPlace && entry.stream !== stream)) return null;
  entry.watch.add(observer);
  const over = entry.over?.() ?? null;
  // Not at once: the observer learns first that the stream was given.
  if (over !== null) Promise.resolve().then(() => over(observer));
  return entry;
}

/** The same for any value; null for one that is no stream. An object so odd that it cannot be looked at is none. */
export function watchIfStream(value: unknown, observer: StreamObserver, inPlace = false): WatchedStream | null {
  try {
    const kind = streamKind(value);
    return kind === null ? null : watchStream(value as object, kind, observer, inPlace);
  } catch {
    return null;
  }
}

function enter(stream: object, kind: NonNullable<ReturnType<typeof streamKind>>): Entry | null {
  const watch = new StreamWatch();
  const watched = start(stream, kind, watch);
  if (watched === null) return null;
  const entry = { ...watched, watch };
  entries.set(stream, entry);
  entries.set(watched.stream, entry);
  return entry;
}

function start(
  stream: object,
  kind: NonNullable<ReturnType<typeof streamKind>>,
  watch: StreamObserver,
): WatchedStream | null {
  switch (kind) {
    case 'web':
      return patchWebStream(stream as ReadableStream, watch);
    case 'node':
      return as(kind, patchReadable(stream, watch), () => overOf(stream));
    case 'async-iterable':
      return as(kind, patchAsyncIterable(stream, watch, iteratorWatcher(stream, watch)));
    default:
      return as(kind, patchIterator(stream, watch));
  }
}

/** For the iterators of a watched iterable; one that cannot be watched goes on as it is. */
function iteratorWatcher(iterable: object, watch: StreamObserver): (iterator: unknown) => unknown {
  let isItsOwn = false;
  return (iterator) => {
    if (typeof iterator !== 'object' || iterator === null) return iterator;
    if (iterator !== iterable) return watchStream(iterator, 'async-generator', watch)?.stream ?? iterator;
    if (!isItsOwn) patchIterator(iterable, watch);
    isItsOwn = true;
    return iterable;
  };
}

function as(
  kind: WatchedStream['kind'],
  stream: object | null,
  over?: NonNullable<WatchedStream['over']>,
): WatchedStream | null {
  if (stream === null) return null;
  return over === undefined ? { kind, stream } : { kind, stream, over };
}
