/**
 * The chunks of a response as the stream of bytes that a `Response` has. Nothing is read before somebody reads, and
 * giving it up gives up its source.
 *
 * @param onEnd told what the chunks came to, before the reader is told that they are over
 */
export function bodyStream(
  chunks: AsyncIterable<Uint8Array>,
  onEnd: (returned: unknown) => void,
): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  let isCancelled = false;
  return new ReadableStream(
    {
      type: 'bytes',
      async pull(controller) {
        for (;;) {
          const { done, value } = await iterator.next();
          if (isCancelled) return;
          if (done === true) {
            onEnd(value);
            controller.close();
            // A reader that waits with memory of its own is told only so.
            controller.byobRequest?.respond(0);
            return;
          }
          if (value.byteLength > 0) {
            // A stream of bytes takes their memory away, which may be somebody's pool.
            controller.enqueue(new Uint8Array(value));
            return;
          }
        }
      },
      async cancel(reason: unknown) {
        isCancelled = true;
        await iterator.return?.(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
