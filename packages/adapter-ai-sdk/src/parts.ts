/**
 * Iterates over the parts of a model's stream, as its consumer asks for them.
 *
 * No generator: one that waits for a part would be told only after it that nobody wants any.
 */
export function partsOf(stream: ReadableStream<unknown>): () => AsyncIterator<unknown, undefined> {
  return () => {
    const reader = stream.getReader();
    return {
      next: () => reader.read() as Promise<IteratorResult<unknown, undefined>>,
      async return(reason?: unknown) {
        // Awaited by nobody: what was cancelled is over for its consumer.
        reader.cancel(reason).catch(() => {});
        return { done: true, value: undefined };
      },
    };
  };
}

/** The parts as the stream that the SDK reads. Nothing is read before somebody reads. */
export function streamOf(parts: AsyncIterable<unknown>): ReadableStream<unknown> {
  const iterator = parts[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel(reason: unknown) {
        await iterator.return?.(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
