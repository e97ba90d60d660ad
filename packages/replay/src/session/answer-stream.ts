import { outputOf, type StreamTaken, streamKind } from '@stepfork/recorder/boundary';

/** What reading an agent's answer came to. */
export interface ReadAnswer {
  readonly output: unknown;
  readonly taken: StreamTaken;
}

/**
 * Reads the stream that an agent answers with, as far as its consumer did when it was recorded.
 *
 * @param recorded how far that was; null where the recorded agent answered with none
 * @returns null for what is no stream, or need not be read: only a generator's body waits for that
 */
export function readAnswer(answer: unknown, recorded: StreamTaken | null): Promise<ReadAnswer> | null {
  const kind = kindOf(answer);
  if (kind === null || (recorded === null && kind !== 'generator' && kind !== 'async-generator')) return null;
  return read(answer as AsyncIterable<unknown> & Iterable<unknown>, recorded ?? { ...UNTOLD, kind });
}

const UNTOLD: Omit<StreamTaken, 'kind'> = { chunks: Number.POSITIVE_INFINITY, end: 'complete', sent: [] };

/** An object so odd that it cannot be looked at is no stream. */
function kindOf(answer: unknown): StreamTaken['kind'] | null {
  try {
    return streamKind(answer);
  } catch {
    return null;
  }
}

async function read(
  stream: AsyncIterable<unknown> & Iterable<unknown>,
  { kind, chunks: most, end, sent }: StreamTaken,
): Promise<ReadAnswer> {
  const iterator = (stream[Symbol.asyncIterator] ?? stream[Symbol.iterator]).call(stream) as AsyncIterator<unknown>;
  const given = new Map(sent);
  const chunks: unknown[] = [];
  // A consumer that stopped is one that asked for no more than it was given.
  const isStopped = (): boolean => (end === 'cancelled' || end === 'open') && chunks.length >= most;
  while (!isStopped()) {
    const { done, value } = await iterator.next(given.get(chunks.length));
    if (done === true)
      return { output: outputOf(chunks, value), taken: { kind, chunks: chunks.length, end: 'complete', sent } };
    chunks.push(value);
  }
  const last = end === 'cancelled' ? await iterator.return?.() : undefined;
  return { output: outputOf(chunks, last?.value), taken: { kind, chunks: chunks.length, end, sent } };
}
