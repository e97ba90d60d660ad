import type { Consumed, Consumption } from './iterator.js';

/** Reads a web stream by a reader, with no promise more than a consumer of its own has. */
export async function consumeWebStream(
  stream: ReadableStream,
  { chunks, isStopped, cancels, isReading, whenToCancel }: Consumption,
): Promise<Consumed> {
  const reader = stream.getReader();
  while (!isStopped()) {
    const { done, value } = await reader.read();
    if (done) return { isWhole: true };
    chunks.push(value);
  }
  if (!cancels) return { isWhole: false };
  // What it would come to is no business of a consumer that gives up.
  if (isReading) reader.read().catch(() => {});
  const waiting = whenToCancel();
  if (waiting !== null) await waiting;
  await reader.cancel();
  return { isWhole: false };
}
