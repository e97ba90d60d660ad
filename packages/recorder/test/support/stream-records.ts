import { type ChunkRecord, fromTraceValue, type StreamRecord, streamOf, type Trace } from '@stepfork/trace-format';
import { expect } from 'vitest';

/** What the runtime file holds of one streamed call, or of the only one. */
export interface StreamRecords {
  readonly opening: StreamRecord | undefined;
  readonly chunks: unknown[];
  readonly records: readonly ChunkRecord[];
}

/** Checks that the points of the log are in order, and gives those of one call. */
export function streamRecords(trace: Trace, callId?: string): StreamRecords {
  const points = trace.runtime.filter((entry) => entry.type === 'chunk' || entry.type === 'stream');
  const orders = points.map(({ order }) => order).sort((a, b) => a - b);
  expect(orders).toEqual(orders.map((_, order) => order));
  const own = points.filter((entry) => callId === undefined || entry.call_id === callId);
  const records = own.filter((entry): entry is ChunkRecord => entry.type === 'chunk');
  expect(records.map(({ index }) => index)).toEqual(records.map((_, index) => index));
  return {
    opening: own.find((entry): entry is StreamRecord => entry.type === 'stream'),
    chunks: records.map(({ data }) => fromTraceValue(data)),
    records,
  };
}

/** The stream that a call's outcome holds, its chunks as values. */
export function streamOutcome(trace: Trace, position: number): { end: string; chunks: unknown[]; returned?: unknown } {
  const event = trace.events[position];
  const stream = event !== undefined && 'output' in event ? streamOf(event.output) : null;
  if (stream === null) throw new Error(`event ${position} holds no stream`);
  const { end, chunks, returned } = stream;
  const values = { end, chunks: chunks.map((chunk) => fromTraceValue(chunk)) };
  return returned === undefined ? values : { ...values, returned: fromTraceValue(returned) };
}
