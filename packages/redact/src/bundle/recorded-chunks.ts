import { isJsonObject, type Json, type JsonObject, streamOf } from '@stepfork/trace-format/write';

/** A `chunk` record of runtime.jsonl, as far as it matters here. */
export interface RecordedChunk {
  readonly callId: string;
  readonly data: Json;
}

/** What a record says of a chunk; null for any other record. */
export function recordedChunk(record: Json): RecordedChunk | null {
  if (!isJsonObject(record) || record.type !== 'chunk' || !Object.hasOwn(record, 'data')) return null;
  const { call_id, data } = record;
  return typeof call_id === 'string' ? { callId: call_id, data: data as Json } : null;
}

/** The chunks of the stream that an event holds, and the event without them; null where it holds none. */
export function chunksOfEvent(
  event: JsonObject,
): { readonly chunks: readonly Json[]; readonly rest: JsonObject } | null {
  const output = Object.hasOwn(event, 'output') ? (event.output as Json) : null;
  const stream = streamOf(output);
  if (stream === null || !isJsonObject(output)) return null;
  return { chunks: stream.chunks, rest: { ...event, output: { ...output, chunks: [] } } };
}
