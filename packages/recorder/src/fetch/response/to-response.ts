import { bodyStream } from './body-stream.js';
import { type Exchange, isStreamedExchange, type Received } from './exchange.js';
import { replayedHeaders } from './headers.js';
import { toContent } from './whole-body.js';

/** By the standard these have no body, and none can be given to them. */
const BODILESS: readonly number[] = [101, 103, 204, 205, 304];

/**
 * The `Response` that the caller of `fetch` is given.
 *
 * @param url that was asked for
 * @param received what came, where the request was really made; null where the recording answers
 */
export function toResponse(exchange: Exchange, url: string, received: Received | null): Response {
  const { status } = exchange;
  const statusText = exchange.statusText ?? '';
  const headers = received?.response.headers ?? replayedHeaders(exchange.headers);
  const content = BODILESS.includes(status) ? null : contentOf(exchange, received);
  const response = new Response(content, { status, statusText, headers });
  const { url: finalUrl, redirected } = received?.response ?? { url, redirected: false };
  // A constructed one has neither.
  return Object.defineProperties(response, {
    url: { value: finalUrl, configurable: true },
    redirected: { value: redirected, configurable: true },
  });
}

function contentOf(exchange: Exchange, received: Received | null): ConstructorParameters<typeof Response>[0] {
  if (isStreamedExchange(exchange)) return bodyStream(exchange);
  return received === null ? toContent(exchange) : received.bytes;
}
