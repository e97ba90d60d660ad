import { recordedHeaders } from '@stepfork/recorder/fetch';
import { partsOf, streamOf } from './parts.js';
import { isRecord } from './shape.js';

/** What `doStream` comes to, in the form in which a stream is recorded: its parts, and beside them what else it has. */
type Streamed = AsyncIterable<unknown> & Readonly<Record<string, unknown>>;

/** The answer of a model as it is recorded. */
export function toRecorded(answer: unknown): unknown {
  if (!isRecord(answer)) return answer;
  const { stream, ...rest } = withoutPrivateHeaders(answer);
  if (!isStream(stream)) return withoutPrivateHeaders(answer);
  return { ...rest, [Symbol.asyncIterator]: partsOf(stream) };
}

/** The answer of a model as the SDK takes it. */
export function fromRecorded(answer: unknown): unknown {
  if (!isStreamed(answer)) return answer;
  const { [Symbol.asyncIterator]: _parts, ...rest } = answer;
  return { ...rest, stream: streamOf(answer) };
}

/** Of a response's headers those are kept that somebody reads; cookies and the like are nobody's business. */
function withoutPrivateHeaders(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { response } = answer;
  if (!isRecord(response) || !isRecord(response.headers)) return answer;
  const headers = recordedHeaders(new Headers(response.headers as Record<string, string>));
  return { ...answer, response: { ...response, headers } };
}

function isStream(value: unknown): value is ReadableStream<unknown> {
  return isRecord(value) && typeof value.getReader === 'function';
}

function isStreamed(answer: unknown): answer is Streamed {
  return isRecord(answer) && Symbol.asyncIterator in answer;
}
