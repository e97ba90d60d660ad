import { Readable } from 'node:stream';
import type { StreamForm } from './program.js';

export interface Chunk {
  readonly from: string;
}

/** How a stream comes about. */
export interface Source {
  readonly length: number;
  readonly fails: boolean;
  readonly chunk: (index: number) => Chunk;
  readonly pause: (index: number) => Promise<void>;
}

/** A stream of that form. */
export function streamOf(form: StreamForm, source: Source): unknown {
  switch (form) {
    case 'async-generator':
      return chunksOf(source);
    case 'async-iterable':
      return { [Symbol.asyncIterator]: () => chunksOf(source) };
    case 'web':
      return ReadableStream.from(chunksOf(source));
    case 'node':
      return Readable.from(chunksOf(source), { highWaterMark: 1 });
    case 'generator':
      return chunksNow(source);
  }
}

async function* chunksOf({ length, fails, chunk, pause }: Source): AsyncGenerator<Chunk, void, void> {
  for (let index = 0; index < length; index++) {
    await pause(index);
    yield chunk(index);
  }
  await pause(length);
  if (fails) throw new RangeError('dried up');
}

function* chunksNow({ length, fails, chunk }: Source): Generator<Chunk, void, void> {
  for (let index = 0; index < length; index++) yield chunk(index);
  if (fails) throw new RangeError('dried up');
}

/** What `for await` would read it by. */
export function iteratorOf(stream: unknown): AsyncIterator<unknown> | Iterator<unknown> {
  const iterable = stream as Partial<AsyncIterable<unknown> & Iterable<unknown>>;
  const iterator = iterable[Symbol.asyncIterator]?.() ?? iterable[Symbol.iterator]?.();
  if (iterator === undefined) throw new TypeError('no stream');
  return iterator;
}
