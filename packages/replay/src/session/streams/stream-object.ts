import { createAsyncIterable } from './async-iterable.js';
import { createAsyncGenerator, createGenerator } from './generators.js';
import { createNodeStream } from './node-stream.js';
import type { Playback } from './playback.js';
import { createByteStream, createWebStream } from './web-stream.js';

/**
 * What a call's caller is given for a recorded stream: an object of the recorded kind.
 *
 * @param refuse what touching a member throws that could not be recorded
 */
export function createStream(playback: Playback, refuse: (member: string) => Error): object {
  switch (playback.content.kind) {
    case 'generator':
      return createGenerator(playback);
    case 'async-generator':
      return createAsyncGenerator(playback);
    case 'async-iterable':
      return createAsyncIterable(playback, refuse);
    case 'web':
      return createWebStream(playback);
    case 'web-bytes':
      return createByteStream(playback);
    case 'node':
      return createNodeStream(playback);
  }
}
