import { outputOf, type StreamTaken, streamKind } from '@stepfork/recorder/boundary';
import type { RecordedTaken } from '../plan/recorded-run.js';
import { type Consumed, type Consumption, consumeIterator } from './consume/iterator.js';
import { consumeNodeStream } from './consume/node-stream.js';
import { consumeWebStream } from './consume/web-stream.js';

/** What reading an agent's answer came to. */
export interface ReadAnswer {
  readonly output: unknown;
  readonly taken: StreamTaken;
}

/**
 * Reads the stream that an agent answers with as its consumer did when it was recorded: as far, and giving up at the
 * same point of the run.
 *
 * @param recorded how far that was; null where the recorded agent answered with none
 * @param reached waits until all has happened that the recording has before a position; null where it has
 * @returns null for what is no stream, or need not be read: only a generator's body waits for that
 */
export function readAnswer(
  answer: unknown,
  recorded: RecordedTaken | null,
  reached: (position: number) => Promise<void> | null,
): Promise<ReadAnswer> | null {
  const kind = kindOf(answer);
  if (kind === null || (recorded === null && kind !== 'generator' && kind !== 'async-generator')) return null;
  return read(consumerOf(answer as object, kind), recorded ?? { ...UNTOLD, kind }, reached);
}

const UNTOLD: Omit<RecordedTaken, 'kind'> = {
  chunks: Number.POSITIVE_INFINITY,
  end: 'complete',
  sent: [],
  stop: null,
};

/** An object so odd that it cannot be looked at is no stream. */
function kindOf(answer: unknown): StreamTaken['kind'] | null {
  try {
    return streamKind(answer);
  } catch {
    return null;
  }
}

async function read(
  consume: Consumer,
  { kind, chunks: most, end, sent, acts = [], stop }: RecordedTaken,
  reached: (position: number) => Promise<void> | null,
): Promise<ReadAnswer> {
  const chunks: unknown[] = [];
  const consumption: Consumption = {
    chunks,
    // A consumer that stopped is one that asked for no more than it was given.
    isStopped: () => (end === 'cancelled' || end === 'open') && chunks.length >= most,
    cancels: end === 'cancelled',
    isReading: stop?.reading === true,
    whenToCancel: () => (stop === null ? null : reached(stop.position)),
    sent: new Map(sent),
    acts: new Map(acts),
  };
  const { isWhole, returned } = await consume(consumption);
  const taken = { kind, chunks: chunks.length, end: isWhole ? 'complete' : end, sent, acts } as const;
  return { output: outputOf(chunks, returned), taken };
}

type Consumer = (how: Consumption) => Promise<Consumed>;

/** How a stream is read: what it is now counts, whatever was recorded. */
function consumerOf(stream: object, kind: StreamTaken['kind']): Consumer {
  switch (kind) {
    case 'node':
      return (how) => consumeNodeStream(stream as NodeJS.ReadableStream, how);
    case 'web':
      return (how) => consumeWebStream(stream as ReadableStream, how);
    default:
      return (how) => consumeIterator(stream as AsyncIterable<unknown> & Iterable<unknown>, how);
  }
}
