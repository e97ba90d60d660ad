import { assemble } from '../assemble/assemble.js';
import { type Chunks, eventsOf } from '../assemble/events.js';

type Step = IteratorResult<Uint8Array, unknown>;

/**
 * Iterates over the chunks of a response's body, as its consumer asks for them; in the end it gives what they come to
 * when they are put together, for people to read.
 *
 * No generator: one that waits for a chunk would be told only after it that nobody wants any.
 */
export function chunksOf(body: ReadableStream<Uint8Array>): () => AsyncIterator<Uint8Array, unknown> {
  return () => {
    const source = sourceOf(body);
    const chunks: Uint8Array[] = [];
    const last = (): Step => ({ done: true, value: messageOf(chunks) });
    return {
      async next() {
        const { done, value } = await source.read();
        if (done === true || value === undefined) return last();
        chunks.push(value);
        return { done: false, value };
      },
      async return(reason?: unknown) {
        // Awaited by nobody: what was cancelled is over for its consumer.
        Promise.resolve(source.cancel(reason)).catch(() => {});
        return last();
      },
    };
  };
}

interface Source {
  readonly read: () => Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>;
  readonly cancel: (reason: unknown) => Promise<unknown> | undefined;
}

/** A web stream, or the Node stream of a library that is older than those. */
function sourceOf(body: ReadableStream<Uint8Array>): Source {
  if (typeof body.getReader === 'function') {
    const reader = body.getReader();
    return { read: () => reader.read(), cancel: (reason) => reader.cancel(reason) };
  }
  const iterator = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  return { read: () => iterator.next(), cancel: () => iterator.return?.() };
}

/** Reading aid only: whatever is wrong with it, the chunks are recorded. */
function messageOf(chunks: Chunks): unknown {
  try {
    return assemble(eventsOf(chunks));
  } catch {
    return undefined;
  }
}
