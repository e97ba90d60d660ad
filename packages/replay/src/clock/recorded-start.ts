import type { RuntimeHeader, Trace } from '@stepfork/trace-format';

/** When and where a recorded run began. */
export interface RecordedStart {
  /** Milliseconds since the epoch, of the recording's first event: the zero of every other time in a plan. */
  readonly startMs: number;
  /** IANA name; null where the recording does not tell, as those of the Python original do not. */
  readonly timeZone: string | null;
  /** What `performance.timeOrigin` was; null where the recording does not tell. */
  readonly timeOrigin: number | null;
}

/** A trace without events, or with unreadable times, began when its header or its manifest says. */
export function recordedStart({ events, runtime, created_at }: Trace): RecordedStart {
  const header = runtime.find((record): record is RuntimeHeader => record.type === 'runtime');
  const readable = [...events.map(({ timestamp }) => Date.parse(timestamp)), header?.started_at_ms ?? Number.NaN];
  return {
    startMs: readable.find((ms) => !Number.isNaN(ms)) ?? Date.parse(created_at),
    timeZone: header !== undefined && knowsItsZone(header) ? header.time_zone : null,
    timeOrigin: header?.time_origin ?? null,
  };
}

/** A header that was written for a bundle which had none (to note what was scrubbed) says UTC for want of a better. */
function knowsItsZone({ recorder_version, language }: RuntimeHeader): boolean {
  return recorder_version !== 'none' || language === 'node';
}
