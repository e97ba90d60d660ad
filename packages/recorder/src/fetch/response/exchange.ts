import { withoutProofs } from '../request/proof.js';
import { isJsonType, mediaType } from '../request/target.js';
import { besideOf, type Hint } from './beside.js';
import { chunksOf } from './chunks.js';
import { type RecordedHeaders, recordedHeaders } from './headers.js';
import { type ReadAhead, readAhead, type Source, sourceOf } from './read-ahead.js';
import { isWide, toBody, type WholeBody } from './whole-body.js';

/** What is recorded of any response. */
export interface Head {
  readonly status: number;
  readonly statusText?: string;
  readonly headers: RecordedHeaders;
  /** Where it came from, where that is not what was asked for. */
  readonly redirectedTo?: string;
  /** The one who asked was told, before it came, that it takes long. */
  readonly timedOut?: true;
  /** What came before it. */
  readonly hints?: readonly Hint[];
}

/** A response that was all there when it was given: JSON, a text of known length, nothing. */
export interface WholeExchange extends Head, WholeBody {
  readonly trailers?: RecordedHeaders;
}

/** A response whose body its consumer reads as it comes. */
export interface StreamedExchange extends Head, AsyncIterable<Uint8Array> {}

export type Exchange = WholeExchange | StreamedExchange;

/** A response as it came, for the one who really made the request. */
export interface Received {
  readonly response: Response;
  /** All of its body; null for none, and for one that is streamed. */
  readonly bytes: Uint8Array<ArrayBuffer> | null;
}

/** What came, and what is recorded of it. */
export interface Taken {
  readonly exchange: Exchange;
  readonly received: Received;
}

/** Of any realm or library: all that is asked of it is there. */
export function isResponse(response: unknown): response is Response {
  if (typeof response !== 'object' || response === null) return false;
  const { status, headers, arrayBuffer } = response as Partial<Response>;
  const has = (name: string): boolean => typeof Reflect.get(headers ?? {}, name) === 'function';
  return typeof status === 'number' && typeof arrayBuffer === 'function' && has('get') && has('entries');
}

/** Nothing that is wrong with a body is an error of this: that is for the one who reads it. */
export async function take(response: Response): Promise<Taken> {
  const { status, headers, statusText } = response;
  const body = isTaken(response) ? null : response.body;
  const beside = besideOf(response);
  const head: Head = {
    status,
    ...(statusText ? { statusText } : {}),
    headers: recordedHeaders(headers, beside.isPacked),
    ...(response.redirected === true ? { redirectedTo: withoutProofs(response.url) } : {}),
    ...(beside.timedOut === true ? { timedOut: true } : {}),
    ...(beside.hints === undefined ? {} : { hints: beside.hints }),
  };
  const type = mediaType(headers.get('content-type'));
  const streamed = (source: Source): Taken => {
    const iterate = chunksOf(source, { isDocument: isJsonType(type), trailers: () => besideOf(response).trailers });
    return { exchange: { ...head, [Symbol.asyncIterator]: iterate }, received: { response, bytes: null } };
  };
  if (body && (beside.isStreamed ?? (status < 400 && isStreamed(type, headers)))) return streamed(sourceOf(body));
  const read = body ? await wholeBody(response, body, beside.isStreamed === false) : null;
  if (read !== null && read.rest !== null) return streamed(read.rest);
  const bytes = read?.bytes ?? null;
  const { trailers } = besideOf(response);
  const exchange = {
    ...head,
    ...toBody(bytes, headers.get('content-type')),
    ...(trailers === undefined ? {} : { trailers }),
  };
  return { exchange, received: { response, bytes } };
}

/** Server-sent events, lines of JSON, audio, a text of no known length: what somebody may use before it is all there. */
function isStreamed(type: string | null, headers: Headers): boolean {
  if (type === null || isJsonType(type)) return false;
  if (type === 'text/event-stream' || !type.startsWith('text/')) return true;
  // A secret in a text of two bytes a unit is best seen in the whole of it.
  return headers.get('content-length') === null && !isWide(headers.get('content-type'));
}

/** Whether somebody reads its body already. */
function isTaken({ body, bodyUsed }: Response): boolean {
  return bodyUsed === true || body?.locked === true;
}

/** @param isWhole it is all there */
async function wholeBody(response: Response, body: ReadableStream<Uint8Array>, isWhole: boolean): Promise<ReadAhead> {
  if (!isWhole) return readAhead(sourceOf(body));
  return { bytes: new Uint8Array(await response.arrayBuffer()), rest: null };
}

export function isStreamedExchange(exchange: Exchange): exchange is StreamedExchange {
  return Symbol.asyncIterator in exchange;
}

/** Whether a recorded answer is one that this seam made. */
export function isExchange(answer: unknown): answer is Exchange {
  if (typeof answer !== 'object' || answer === null) return false;
  const { status, headers } = answer as Partial<Head>;
  return typeof status === 'number' && typeof headers === 'object' && headers !== null;
}
