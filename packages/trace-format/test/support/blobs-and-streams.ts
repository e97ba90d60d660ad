import { Buffer } from 'node:buffer';
import {
  addEvent,
  createTrace,
  openBundle,
  type RuntimeRecord,
  runEndEvent,
  runStartEvent,
  type Trace,
  toolCallEvent,
  toolResultEvent,
  toTraceValue,
} from '../../src/write.js';
import { HEADER, sealed, sealedManifest } from './sealed.js';

/** Bytes that repeat no earlier than they must. */
export function someBytes(size: number, start = 0): Buffer {
  return Buffer.from(Array.from({ length: size }, (_, n) => ((n + start) * 167 + (n >> 8)) & 0xff));
}

/** A run that was given a large image and a stream of a small and a large chunk; ids and times are fixed. */
export function blobsAndStreams(): { readonly trace: Trace; readonly records: readonly RuntimeRecord[] } {
  const timestamp = '2026-10-08T10:00:00Z';
  const trace = createTrace({
    agentName: 'blobs',
    runId: 'run_00000000000000000000000000000002',
    createdAt: timestamp,
  });
  const [image, part] = [someBytes(20_000), someBytes(17_000, 3)];
  addEvent(trace, runStartEvent({ id: 'evt_0', timestamp, input: toTraceValue({ image, small: someBytes(9) }) }));
  const call = { parent_id: 'evt_0', name: 'download', timestamp };
  addEvent(trace, toolCallEvent({ ...call, id: 'evt_1', input: { image: toTraceValue(new Uint8Array(image)) } }));
  const chunks = [toTraceValue('first'), toTraceValue(part)];
  const output = { $stepfork: 'stream', kind: 'async-generator', end: 'complete', chunks, returned: 2 };
  addEvent(trace, toolResultEvent({ ...call, parent_id: 'evt_1', id: 'evt_2', output }));
  addEvent(trace, runEndEvent({ id: 'evt_3', timestamp, run_status: 'completed', output: null }));
  const point = { call_id: 'evt_1', step: 2, at_ms: 1_791_453_600_000, turn: 1 };
  return {
    trace,
    records: [
      { type: 'stream', ...point, order: 0, kind: 'async-generator', answered: 'sync', call_turn: 1 },
      ...chunks.map((data, index): RuntimeRecord => ({ type: 'chunk', ...point, order: index + 1, index, data })),
      { type: 'chunk', ...point, order: 3, index: 2, data: null, sent: toTraceValue(image.subarray(1)) },
    ],
  };
}

/** Writes that run as a bundle, and answers its path. */
export function writeBlobsAndStreams(path: string): string {
  const { trace, records } = blobsAndStreams();
  const writer = openBundle({ path, manifest: sealedManifest(trace), runtime: HEADER });
  for (const event of trace.events) writer.append(sealed(event));
  for (const record of records) writer.appendRuntime(record);
  return writer.finish(sealedManifest(trace));
}
