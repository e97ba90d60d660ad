import { externalizeBytes, mayHoldBlob } from '../blobs.js';
import { StepforkError } from '../errors.js';
import type { EventType, TraceEvent } from '../event.js';
import { canonicalEntry } from '../json/canonical.js';
import { jsonText } from '../json/native.js';
import type { Json } from '../json.js';
import { hasPayload, PAYLOAD_FIELDS, type PayloadField } from '../payloads.js';
import { type CallEvent, EarlierInputs, isCall } from '../repeats/earlier-inputs.js';
import { shortenInput } from '../repeats/shorten.js';
import { MAX_LINE_BYTES } from './layout.js';
import { LineBuffer } from './line-buffer.js';

/** Fields of a type beside the common ones, in the order in which they are written. */
export const OWN_FIELDS: Readonly<Record<EventType, readonly string[]>> = {
  run_start: ['input'],
  llm_request: ['provider', 'model', 'input'],
  llm_response: ['model', 'output', 'prompt_tokens', 'completion_tokens', 'total_tokens', 'cost_usd'],
  tool_call: ['name', 'input'],
  tool_result: ['name', 'output'],
  state_change: ['key', 'before', 'after'],
  error: ['error_type', 'message', 'details'],
  run_end: ['run_status', 'output'],
};

type PutBlob = (sha256: string, bytes: Uint8Array) => void;

/** An event as one line of events.jsonl. */
export interface EventLine {
  /** With its line end; good until the next event is encoded. */
  readonly bytes: Uint8Array;
  /** The event as the line says it: hashes computed, payloads that were not set null, what is repeated left out. */
  readonly event: TraceEvent;
  /** What the line names and has to be written before it: digests and bytes. */
  readonly blobs: ReadonlyMap<string, Uint8Array>;
}

/** Encoding is synchronous and never nested, so that one buffer serves every writer. */
const line = new LineBuffer();

/**
 * Encodes an event. Each payload stands in the line as its canonical text, and its hash is that of exactly these
 * bytes, so that a reader can verify without parsing. Hashes the event came with are thrown away.
 *
 * @param inputs those that a call's input may repeat
 * @throws StepforkError `not_canonical`, or `event_too_large` beyond 64 MB
 */
export function encodeEventLine(event: TraceEvent, inputs = new EarlierInputs()): EventLine {
  const payloads = PAYLOAD_FIELDS[event.type];
  const hashes: { input_hash: string | null; output_hash: string | null } = { input_hash: null, output_hash: null };
  const filled: Record<string, unknown> = {};
  const blobs = new Map<string, Uint8Array>();
  const put: PutBlob = (digest, bytes) => void blobs.set(digest, bytes);
  line.start();
  line.text(commonFields(event));
  const slots = hashSlots(payloads);
  line.text(`,"redactions":${jsonText(event.redactions)}`);
  for (const name of OWN_FIELDS[event.type]) {
    line.text(`,"${name}":`);
    const payload = payloads.find((field) => field.name === name);
    if (payload === undefined) {
      line.text(jsonText((event as unknown as Record<string, unknown>)[name]));
      continue;
    }
    let text = 'null';
    if (!hasPayload(event, payload)) {
      filled[name] = null;
    } else {
      const short = isCall(event) ? shortened(event, inputs, put) : null;
      if (short !== null) filled[name] = short;
      text = canonicalEntry(short === null ? event : filled, name);
      if (mayHoldBlob(text)) {
        filled[name] = externalizeBytes(short ?? ((event as unknown as Record<string, Json>)[name] as Json), put);
        text = canonicalEntry(filled, name);
      }
    }
    checkSize(event, line.length + text.length);
    hashes[payload.hash] = line.hashed(text, slots[payload.hash]);
  }
  line.text('}\n');
  checkSize(event, line.length);
  return { bytes: line.bytes(), event: { ...event, ...hashes, ...filled } as TraceEvent, blobs };
}

/** A call's input without what it repeats; null for one that is written as it is. */
function shortened(call: CallEvent, inputs: EarlierInputs, put: PutBlob): Json | null {
  // Earlier inputs have their large binary data in blobs.
  const input = inputs.haveBlobs ? externalizeBytes(call.input, put) : call.input;
  const short = shortenInput(call, input, inputs);
  return short === call.input ? null : short;
}

function commonFields(event: TraceEvent): string {
  return (
    `{"id":${jsonText(event.id)},"run_id":${jsonText(event.run_id)}` +
    `,"parent_id":${jsonText(event.parent_id)},"step":${event.step},"type":"${event.type}"` +
    `,"timestamp":"${event.timestamp}","duration_ms":${event.duration_ms},"status":"${event.status}"` +
    `,"replay_policy":"${event.replay_policy}"`
  );
}

function hashSlots(payloads: readonly PayloadField[]): { input_hash: number; output_hash: number } {
  const slots = { input_hash: -1, output_hash: -1 };
  for (const name of ['input_hash', 'output_hash'] as const) {
    if (payloads.some((field) => field.hash === name)) {
      line.text(`,"${name}":"`);
      slots[name] = line.hashSlot();
      line.text('"');
    } else {
      line.text(`,"${name}":null`);
    }
  }
  return slots;
}

function checkSize(event: TraceEvent, bytes: number): void {
  if (bytes <= MAX_LINE_BYTES) return;
  throw new StepforkError(
    'event_too_large',
    `event ${event.id} (${event.type}) takes more than ${MAX_LINE_BYTES} bytes, the most one line may have`,
    { details: { event_id: event.id, type: event.type, limit: MAX_LINE_BYTES } },
  );
}
