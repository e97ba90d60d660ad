import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import zlib from 'node:zlib';
import { FetchResponse } from '@mswjs/interceptors';
import type { RequestWatch } from './request-watch.js';
import { markTimedOut } from './timed-out.js';

/** So that an event is there as soon as it has come, and what was cut short as far as it goes. */
const GZIP = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
const BROTLI = {
  flush: zlib.constants.BROTLI_OPERATION_FLUSH,
  finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
};

const DECODERS: Readonly<Record<string, (() => NodeJS.ReadWriteStream) | undefined>> = {
  gzip: () => zlib.createGunzip(GZIP),
  'x-gzip': () => zlib.createGunzip(GZIP),
  deflate: () => zlib.createInflate(GZIP),
  br: () => zlib.createBrotliDecompress(BROTLI),
};

/**
 * The answer as a `fetch` would have given it: decoded, without a body where there can be none, and broken off where the
 * request was.
 */
export function copyOf(response: Response, method: string, watch: RequestWatch): Response {
  const { status, statusText, headers } = response;
  const hasBody = response.body !== null && method !== 'HEAD';
  const body = hasBody ? decoded(breaking(response.body, watch), headers.get('content-encoding')) : null;
  const copy = new FetchResponse(body, { status, statusText, headers });
  return watch.isTimedOut() ? markTimedOut(copy) : copy;
}

/** What the interceptor copies does not end when the connection does. */
function breaking(body: ReadableStream<Uint8Array>, watch: RequestWatch): ReadableStream<Uint8Array> {
  const broken = new Promise<never>((_, reject) => watch.onBroken(reject));
  broken.catch(() => {});
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await Promise.race([reader.read(), broken]);
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function decoded(body: ReadableStream<Uint8Array>, encodings: string | null): ReadableStream<Uint8Array> {
  const names = (encodings ?? '').toLowerCase().split(',').reverse();
  const decoders = names.map((name) => DECODERS[name.trim()]).filter((decoder) => decoder !== undefined);
  if (decoders.length === 0) return body;
  let stream: Readable = Readable.fromWeb(body as NodeStream);
  for (const decoder of decoders) {
    const to = decoder();
    stream.on('error', (error) => (to as unknown as Readable).destroy(error));
    stream = stream.pipe(to) as unknown as Readable;
  }
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
}
