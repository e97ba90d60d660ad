import { onAbort } from '../on-abort.js';

/**
 * The chunks of a response as the stream of bytes that a `Response` has. Nothing is read before somebody reads, and
 * giving it up gives up its source. An abort of its request fails whoever reads it, as it does with `fetch`.
 *
 * @param signal of the request; null for none
 * @param onEnd told what the chunks came to, before the reader is told that they are over
 */
export function bodyStream(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal | null,
  onEnd: (returned: unknown) => void = () => {},
): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  let isOver = false;
  let isAsked = false;
  let leave = (): void => {};
  const over = (): void => {
    isOver = true;
    leave();
  };
  return new ReadableStream(
    {
      type: 'bytes',
      start(controller) {
        if (signal === null) return;
        leave = onAbort(signal, () => {
          over();
          controller.error(signal.reason);
          // A chunk that was asked for fails by itself.
          if (!isAsked) Promise.resolve(iterator.return?.()).catch(() => {});
        });
      },
      async pull(controller) {
        for (;;) {
          const { done, value } = await next();
          if (isOver) return;
          if (done === true) {
            over();
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
        over();
        await iterator.return?.(reason);
      },
    },
    { highWaterMark: 0 },
  );

  async function next(): Promise<IteratorResult<Uint8Array, unknown>> {
    isAsked = true;
    try {
      return await iterator.next();
    } catch (error) {
      over();
      throw error;
    } finally {
      isAsked = false;
    }
  }
}
