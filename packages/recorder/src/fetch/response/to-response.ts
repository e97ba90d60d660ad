import { anyResponse, isBodiless } from './any-response.js';
import { type Beside, putBeside } from './beside.js';
import { bodyStream } from './body-stream.js';
import { trailersIn } from './chunks.js';
import { type Exchange, isStreamedExchange, type Received } from './exchange.js';
import { replayedHeaders } from './headers.js';
import { toContent } from './whole-body.js';

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Content = Streamed | Uint8Array<ArrayBuffer> | null;

interface Streamed {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly onEnd: (returned: unknown) => void;
}

/** What a response is the answer to. */
export interface Asked {
  readonly url: URL;
  readonly signal: AbortSignal | null;
}

/**
 * The `Response` that the caller of `fetch` is given.
 *
 * @param received what came, where the request was really made; null where the recording answers
 */
export function toResponse(exchange: Exchange, { url, signal }: Asked, received: Received | null): Response {
  const { status } = exchange;
  const beside = besideIn(exchange);
  const content = isBodiless(status) ? null : contentOf(exchange, received, beside);
  const headers = received?.response.headers ?? replayedHeaders(exchange.headers, lengthOf(content));
  const head = { status, statusText: exchange.statusText ?? '', headers };
  const response = anyResponse(toBody(content, signal), head);
  putBeside(response, beside);
  const { redirectedTo } = exchange;
  const recorded = { url: redirectedTo ?? url.href, redirected: redirectedTo !== undefined };
  const { url: finalUrl, redirected } = received?.response ?? recorded;
  // A constructed one has neither.
  return Object.defineProperties(response, {
    url: { value: finalUrl, configurable: true },
    redirected: { value: redirected, configurable: true },
  });
}

function besideIn(exchange: Exchange): Writable<Beside> {
  const { timedOut, hints } = exchange;
  return isStreamedExchange(exchange) ? { timedOut, hints } : { timedOut, hints, trailers: exchange.trailers };
}

function contentOf(exchange: Exchange, received: Received | null, beside: Writable<Beside>): Content {
  if (!isStreamedExchange(exchange)) return received === null ? toContent(exchange) : received.bytes;
  return {
    chunks: exchange,
    onEnd(returned) {
      beside.trailers = trailersIn(returned);
    },
  };
}

/** An abort fails the reader of what is all there, too. */
function toBody(
  content: Content,
  signal: AbortSignal | null,
): ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null {
  if (content === null || (ArrayBuffer.isView(content) && (signal === null || content.byteLength === 0)))
    return content;
  return ArrayBuffer.isView(content)
    ? bodyStream(once(content), signal)
    : bodyStream(content.chunks, signal, content.onEnd);
}

async function* once<T>(value: T): AsyncGenerator<T, void> {
  yield value;
}

function lengthOf(content: Content): number | null {
  return ArrayBuffer.isView(content) ? content.byteLength : null;
}
