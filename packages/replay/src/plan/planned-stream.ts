import {
  type ActFields,
  type ChunkRecord,
  canonicalJson,
  encodeValue,
  type Json,
  type RecordedCall,
  type StreamEndRecord,
  type StreamKind,
  type StreamRecord,
  streamOf,
  type Trace,
} from '@stepfork/trace-format';
import type { LogPoint } from './planned-call.js';
import type { Timeline } from './timeline.js';

/** A recorded stream: what its consumer was given, and when. */
export interface PlannedStream {
  readonly kind: StreamKind;
  /** A Node stream's chunks are values, not bytes or texts. */
  readonly objectMode: boolean;
  /** Data of an async iterable beside its iterator, encoded; null for none. */
  readonly members: Json | null;
  /** Where the caller was given it. */
  readonly open: StreamPoint;
  readonly chunks: readonly PlannedChunk[];
  readonly end: StreamEnd;
  /** What a generator returned, encoded; absent for undefined. */
  readonly returned?: Json;
  /** How the end was asked for; null where the recording does not say it. */
  readonly act: PlannedAct | null;
  /** What was thrown in came out again, or what it was closed with was what it returned. */
  readonly passesOn: boolean;
  /** Whether the recording says of each step how it was asked for: those of older recorders tell `next` alone. */
  readonly areActsKnown: boolean;
}

/** How the consumer of an iterator asked for a step, and what it gave for that, encoded. */
export interface PlannedAct {
  readonly by: 'next' | 'throw' | 'return';
  readonly value: Json;
}

/** `cut`: the recording does not hold its end. */
export type StreamEnd = 'complete' | 'cancelled' | 'failed' | 'cut';

export interface PlannedChunk extends StreamPoint {
  /** Encoded. */
  readonly data: Json;
  readonly act: PlannedAct;
}

/** A place in the log at which a stream, or a chunk of one, was given. */
export interface StreamPoint extends LogPoint {
  /** It was given in the very turn of the event loop in which something before it in the log happened. */
  readonly isPrompt: boolean;
}

/** Per call, the stream that it answered with; null for any other answer. */
export function plannedStreams(
  trace: Trace,
  calls: readonly RecordedCall[],
  timeline: Timeline,
  prompt: ReadonlySet<number>,
): readonly (PlannedStream | null)[] {
  const notes = streamNotes(trace);
  const streamPoint = (point: LogPoint): StreamPoint => ({ ...point, isPrompt: prompt.has(point.position) });
  return calls.map((call) => {
    const { opened, chunks: noted, ended } = notes.get(call.event.id) ?? NO_NOTES;
    const told = call.outcome?.type === 'returned' ? streamOf(call.outcome.output) : null;
    const end = told?.end ?? endWithout(call);
    const kind = opened?.kind ?? told?.kind;
    if (end === null || kind === undefined) return null;
    const places = noted.map((record) => streamPoint(timeline.ofPoint(record)));
    const atEnd = streamPoint(timeline.ofEvent(call.outcome?.position ?? call.position));
    const data = told?.chunks ?? noted.map((record) => record.data);
    const areAllNoted = noted.length === data.length;
    const areActsKnown = opened?.acts === true;
    const act = endAct(end, ended ?? (told?.sent === undefined ? {} : { sent: told.sent }), areActsKnown);
    return {
      kind,
      objectMode: opened?.object_mode === true,
      members: opened?.members ?? null,
      open: streamPoint(opened === null ? timeline.ofEvent(call.position) : timeline.ofPoint(opened)),
      chunks: data.map((each, index) => ({
        ...((areAllNoted ? places[index] : undefined) ?? atEnd),
        data: each,
        act: actOf(noted[index] ?? {}),
      })),
      end,
      ...(told?.returned === undefined ? {} : { returned: told.returned }),
      act,
      passesOn: act !== null && act.by !== 'next' && isSame(act.value, cameTo(call)),
      areActsKnown,
    };
  });
}

/** How the recording says that a step was asked for, counted from 0; null where it does not, or holds none. */
export function actAt({ chunks, act }: PlannedStream, step: number): PlannedAct | null {
  return chunks[step]?.act ?? (step === chunks.length ? act : null);
}

/** Older recorders told of the end that a generator came to by itself, and of no other. */
function endAct(end: StreamEnd, fields: ActFields, areActsKnown: boolean): PlannedAct | null {
  return end !== 'cut' && (areActsKnown || end === 'complete') ? actOf(fields) : null;
}

function actOf({ sent, thrown, closed }: ActFields): PlannedAct {
  if (thrown !== undefined) return { by: 'throw', value: thrown };
  if (closed !== undefined) return { by: 'return', value: closed };
  return { by: 'next', value: sent ?? NOTHING };
}

const NOTHING = encodeValue(undefined).json;

/** What a stream returned, or what it threw. */
function cameTo({ outcome }: RecordedCall): Json {
  if (outcome?.type === 'threw') return outcome.details ?? null;
  return (outcome === null ? null : streamOf(outcome.output)?.returned) ?? NOTHING;
}

function isSame(a: Json, b: Json): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/** null: what the call returned was no stream, whatever else is said of it. */
function endWithout({ outcome }: RecordedCall): StreamEnd | null {
  if (outcome === null) return 'cut';
  return outcome.type === 'threw' ? 'failed' : null;
}

interface StreamNotes {
  readonly opened: StreamRecord | null;
  /** In order, as far as none is missing. */
  readonly chunks: readonly ChunkRecord[];
  readonly ended: StreamEndRecord | null;
}

const NO_NOTES: StreamNotes = { opened: null, chunks: [], ended: null };

function streamNotes(trace: Trace): ReadonlyMap<string, StreamNotes> {
  const opened = new Map<string, StreamRecord>();
  const chunks = new Map<string, ChunkRecord[]>();
  const ended = new Map<string, StreamEndRecord>();
  for (const record of trace.runtime) {
    if (record.type === 'stream' && !opened.has(record.call_id)) opened.set(record.call_id, record);
    if (record.type === 'stream_end' && !ended.has(record.call_id)) ended.set(record.call_id, record);
    if (record.type !== 'chunk') continue;
    const list = chunks.get(record.call_id);
    if (list === undefined) chunks.set(record.call_id, [record]);
    else list.push(record);
  }
  const ids = new Set([...opened.keys(), ...chunks.keys(), ...ended.keys()]);
  return new Map(
    [...ids].map((id) => [
      id,
      { opened: opened.get(id) ?? null, chunks: unbroken(chunks.get(id) ?? []), ended: ended.get(id) ?? null },
    ]),
  );
}

function unbroken(chunks: readonly ChunkRecord[]): readonly ChunkRecord[] {
  const sorted = [...chunks].sort((a, b) => a.index - b.index);
  const gap = sorted.findIndex(({ index }, place) => index !== place);
  return gap === -1 ? sorted : sorted.slice(0, gap);
}
