import { findUnservable, fromTraceValue, isJsonObject, type Json, setKey } from '@stepfork/trace-format';
import type { Playback, Pulled } from './playback.js';

/**
 * An async iterable that plays a stream: an iterator of itself, with the recorded data beside it.
 *
 * @param refuse what touching a member throws that could not be recorded
 */
export function createAsyncIterable(playback: Playback, refuse: (member: string) => Error): object {
  const iterable = Object.create(iteratorOf(playback)) as object;
  const { members, blobs } = playback.content;
  if (!isJsonObject(members)) return iterable;
  const lost: string[] = [];
  const servable: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(members)) {
    if (findUnservable(value) === null) setKey(servable, key, value);
    else if (!(key in iterable)) lost.push(key);
  }
  for (const [key, value] of Object.entries(fromTraceValue(servable, { blobs }) as object)) {
    Object.defineProperty(iterable, key, { value, writable: true, enumerable: true, configurable: true });
  }
  for (const key of lost) {
    const get = (): never => {
      throw refuse(key);
    };
    Object.defineProperty(iterable, key, { get, enumerable: true, configurable: true });
  }
  return iterable;
}

function iteratorOf(playback: Playback): object {
  const methods = {
    next: (value?: unknown): Promise<Pulled> => playback.step({ by: 'next', value }),
    // The generators that most of these are made of wait for what they are given.
    return: (value?: unknown): Promise<Pulled> => playback.step({ by: 'return', value }).then((pulled) => pulled),
    throw: (value?: unknown): Promise<Pulled> => playback.step({ by: 'throw', value }),
    [Symbol.asyncIterator](this: unknown): unknown {
      return this;
    },
  };
  const iterator = {};
  for (const key of Reflect.ownKeys(methods)) {
    const value = methods[key as keyof typeof methods];
    Object.defineProperty(iterator, key, { value, writable: true, configurable: true });
  }
  return iterator;
}
