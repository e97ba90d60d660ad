import type { StreamTaken } from '@stepfork/recorder/boundary';
import {
  type ClockRecord,
  externalizeBytes,
  findUnservable,
  fromTraceValue,
  type Json,
  type RunEndEvent,
  type RunStatus,
  type Trace,
} from '@stepfork/trace-format';
import type { RecordedRead } from '../clock/recorded-reads.js';
import { type RecordedStart, recordedStart } from '../clock/recorded-start.js';
import type { Timeline } from './timeline.js';

/** How much of the agent's answer was read, and when its consumer gave up: null where that was not kept, or it did not. */
export interface RecordedTaken extends StreamTaken {
  readonly stop: { readonly position: number; readonly reading: boolean } | null;
}

/** What the recording says of the run as a whole. */
export interface RecordedRun {
  readonly runId: string;
  readonly agentName: string;
  /** `running`: the recording was cut short, or is still going on. */
  readonly status: RunStatus;
  /** The run's input; null where none was recorded. */
  readonly input: Json;
  /** The run's output; null where none was recorded. */
  readonly output: Json;
  /** How much of the stream that the agent answered with was read; null where it answered with none. */
  readonly taken: RecordedTaken | null;
  readonly failure: { readonly type: string; readonly message: string } | null;
  /** Milliseconds from the first event to the last. */
  readonly duration: number;
  readonly began: RecordedStart;
  /** What the agent read off its clocks, in order; empty where that was not kept. */
  readonly reads: readonly RecordedRead[];
}

/** Reads it off the trace. Where the manifest was never finished, the last run_end counts. */
export function recordedRun(trace: Trace, timeline: Timeline): RecordedRun {
  const start = trace.events.find((event) => event.type === 'run_start');
  const end = trace.events.findLast((event): event is RunEndEvent => event.type === 'run_end');
  const status = trace.status === 'running' ? (end?.run_status ?? 'running') : trace.status;
  return {
    runId: trace.run_id,
    agentName: trace.agent_name,
    status,
    input: start?.input ?? null,
    output: externalizeBytes(end?.output ?? null),
    taken: takenOf(trace, timeline),
    failure: status === 'failed' ? failureOf(trace) : null,
    duration: timeline.duration,
    began: recordedStart(trace),
    reads: readsOf(trace, timeline),
  };
}

function readsOf({ runtime }: Trace, timeline: Timeline): readonly RecordedRead[] {
  return runtime
    .filter((record): record is ClockRecord => record.type === 'clock')
    .map((record) => ({ ...timeline.ofPoint(record), reads: record.reads }))
    .sort((a, b) => a.position - b.position)
    .flatMap(({ position, reads }) => reads.map((read) => ({ position, read })));
}

function takenOf({ runtime, blobs }: Trace, timeline: Timeline): RecordedTaken | null {
  const record = runtime.find((each) => each.type === 'output');
  if (record === undefined) return null;
  const { kind, chunks, end, sent = [], acts = [], stopped } = record;
  const stop =
    stopped === undefined ? null : { position: timeline.ofPoint(stopped).position, reading: stopped.reading };
  const decoded = (value: Json): unknown => fromTraceValue(value, { blobs });
  return {
    ...{ kind, chunks, end, stop },
    sent: sent.map(({ index, value }) => [index, decoded(value)]),
    // A consumer's error may hold what cannot be rebuilt: that it was thrown counts for more.
    acts: acts.map(({ index, by, value }) => [
      index,
      { by, value: findUnservable(value) === null ? decoded(value) : undefined },
    ]),
  };
}

function failureOf(trace: Trace): RecordedRun['failure'] {
  if (trace.failure !== null) return { type: trace.failure.type, message: trace.failure.message };
  const error = trace.events.findLast((event) => event.type === 'error');
  return error === undefined ? null : { type: error.error_type, message: error.message };
}
