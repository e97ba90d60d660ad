import type { Act } from '@stepfork/recorder/boundary';

/** How a stream is to be read. */
export interface Consumption {
  /** Takes what is read. */
  readonly chunks: unknown[];
  /** Whether no more is to be asked for. */
  readonly isStopped: () => boolean;
  /** Whether the stream is then given up, and not just left. */
  readonly cancels: boolean;
  /** Whether one chunk more is asked for when it is given up. */
  readonly isReading: boolean;
  /** Waits for the moment at which it is given up; null where that has come. */
  readonly whenToCancel: () => Promise<void> | null;
  /** What is given to a generator for a chunk, by that chunk's number. */
  readonly sent: ReadonlyMap<number, unknown>;
  /** What is done to it for a chunk in place of that. */
  readonly acts: ReadonlyMap<number, Act>;
}

/** What reading came to. */
export interface Consumed {
  /** It was read to its end. */
  readonly isWhole: boolean;
  /** What its generator returned. */
  readonly returned?: unknown;
}

/** Reads a generator or anything else that can be iterated. */
export async function consumeIterator(
  stream: AsyncIterable<unknown> & Iterable<unknown>,
  { chunks, isStopped, cancels, whenToCancel, sent, acts }: Consumption,
): Promise<Consumed> {
  const iterator = (stream[Symbol.asyncIterator] ?? stream[Symbol.iterator]).call(stream) as AsyncIterator<unknown>;
  while (!isStopped()) {
    const act = acts.get(chunks.length);
    const step = act === undefined || act.by === 'next' ? undefined : iterator[act.by];
    const { done, value } = await (step === undefined
      ? iterator.next(sent.get(chunks.length))
      : step.call(iterator, act?.value));
    if (done === true) return { isWhole: true, returned: value };
    chunks.push(value);
  }
  if (!cancels) return { isWhole: false };
  await whenToCancel();
  const last = await iterator.return?.(acts.get(chunks.length)?.value);
  return { isWhole: false, returned: last?.value };
}
