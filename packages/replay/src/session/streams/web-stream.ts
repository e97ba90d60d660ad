import { types } from 'node:util';
import { PLAIN, type Playback } from './playback.js';

/** Nothing is read ahead: a chunk that nobody asks for is not given. */
const NO_BUFFER = { highWaterMark: 0 };

/** A web stream that plays a stream. */
export function createWebStream(playback: Playback): ReadableStream<unknown> {
  return new ReadableStream<unknown>(
    {
      async pull(controller) {
        const { done, value } = await playback.step(PLAIN);
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => playback.cancel(),
    },
    NO_BUFFER,
  );
}

/** The same of bytes, which a consumer may have written into memory of its own. */
export function createByteStream(playback: Playback): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      type: 'bytes',
      async pull(controller) {
        const chunk = await nextBytes(playback);
        if (chunk !== null) {
          controller.enqueue(chunk);
          return;
        }
        controller.close();
        // A reader that waits with memory of its own is told only so.
        controller.byobRequest?.respond(0);
      },
      cancel: () => playback.cancel(),
    },
    NO_BUFFER,
  );
}

/** Whether a chunk can be given by a stream of bytes. */
export function isBytes(chunk: unknown): chunk is ArrayBufferView {
  return ArrayBuffer.isView(chunk) && !types.isSharedArrayBuffer(chunk.buffer);
}

/** A byte stream takes a chunk's memory away, and no empty chunks. */
async function nextBytes(playback: Playback): Promise<Uint8Array<ArrayBuffer> | null> {
  for (;;) {
    const { done, value } = await playback.step(PLAIN);
    if (done === true) return null;
    const chunk = isBytes(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array();
    if (chunk.length > 0) return Uint8Array.from(chunk);
  }
}
