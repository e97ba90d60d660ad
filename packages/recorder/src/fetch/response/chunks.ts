import { assemble } from '../assemble/assemble.js';
import { type Chunks, eventsOf } from '../assemble/events.js';
import type { RecordedHeaders } from './headers.js';
import type { Source } from './read-ahead.js';
import { documentOf } from './whole-body.js';

type Step = IteratorResult<Uint8Array, unknown>;

/** What is to be known of a body, beside its chunks. */
export interface BodyFacts {
  /** It is one JSON document. */
  readonly isDocument: boolean;
  /** Asked once the body is over. */
  readonly trailers: () => RecordedHeaders | undefined;
}

/** What a streamed body is put together to, in place of the message alone. */
export interface WithTrailers {
  readonly message?: unknown;
  readonly trailers: RecordedHeaders;
}

/**
 * Iterates over the chunks of a response's body, as its consumer asks for them; in the end it gives what they come to
 * when they are put together, for people to read.
 *
 * No generator: one that waits for a chunk would be told only after it that nobody wants any.
 */
export function chunksOf(source: Source, facts: BodyFacts): () => AsyncIterator<Uint8Array, unknown> {
  return () => {
    const chunks: Uint8Array[] = [];
    const last = (): Step => ({ done: true, value: whole(messageOf(chunks, facts.isDocument), facts.trailers()) });
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

function whole(message: unknown, trailers: RecordedHeaders | undefined): unknown {
  if (trailers === undefined) return message;
  return { ...(message === undefined ? {} : { message }), trailers } satisfies WithTrailers;
}

/** Of what a body was put together to. */
export function trailersIn(returned: unknown): RecordedHeaders | undefined {
  if (typeof returned !== 'object' || returned === null) return undefined;
  const { trailers } = returned as Partial<WithTrailers>;
  return typeof trailers === 'object' && trailers !== null ? trailers : undefined;
}

/** Reading aid only: whatever is wrong with it, the chunks are recorded. */
function messageOf(chunks: Chunks, isDocument: boolean): unknown {
  try {
    return isDocument ? documentOf(Buffer.concat(chunks).toString()) : assemble(eventsOf(chunks));
  } catch {
    return undefined;
  }
}
