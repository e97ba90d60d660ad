import type {
  ChunkRecord,
  ClockRecord,
  LogPointFields,
  OutputRecord,
  RuntimeRecord,
  StreamRecord,
  Trace,
} from '@stepfork/trace-format';
import type { LogPoint } from './planned-call.js';

/**
 * The recorded run in one line: its events, and between them the points at which streams were given and read, and the
 * clock was.
 */
export interface Timeline {
  readonly ofEvent: (index: number) => LogPoint;
  readonly ofPoint: (record: PointRecord) => LogPoint;
  /** Milliseconds from the first event to the last. */
  readonly duration: number;
}

/** A record of something that happened between two events. */
type PointRecord = StreamRecord | ChunkRecord | ClockRecord | StopPoint;

/**
 * Puts everything of a run in order, each with the milliseconds since the first event. An unreadable time and a clock
 * that was set back count as no time passed, so time never decreases along the line.
 */
export function timelineOf({ events, runtime }: Trace): Timeline {
  const clock = new Clock();
  const points = [...runtime.filter(isPoint), ...runtime.flatMap(stopIn)].sort(inOrder);
  const ofEvent: LogPoint[] = [];
  const ofPoint = new Map<PointRecord, LogPoint>();
  let taken = 0;
  const takePoints = (step: number): void => {
    for (let next = points[taken]; next !== undefined && next.step <= step; next = points[++taken]) {
      ofPoint.set(next, { position: ofEvent.length + taken, time: clock.read(next.at_ms) });
    }
  };
  events.forEach(({ timestamp }, index) => {
    takePoints(index);
    ofEvent.push({ position: index + taken, time: clock.read(Date.parse(timestamp)) });
  });
  takePoints(Number.POSITIVE_INFINITY);
  return {
    ofEvent: (index) => ofEvent[index] ?? START,
    ofPoint: (record) => ofPoint.get(record) ?? START,
    duration: ofEvent.at(-1)?.time ?? 0,
  };
}

const START: LogPoint = { position: 0, time: 0 };

/** Recorded time, which begins with the first time that is read and never goes back. */
class Clock {
  #origin: number | null = null;
  #latest = 0;

  read(at: number): number {
    if (Number.isNaN(at)) return this.#latest;
    this.#origin ??= at;
    this.#latest = Math.max(this.#latest, at - this.#origin);
    return this.#latest;
  }
}

/** Where the consumer of the agent's answer gave up. */
type StopPoint = NonNullable<OutputRecord['stopped']>;

function stopIn(record: RuntimeRecord): readonly StopPoint[] {
  return record.type === 'output' && record.stopped !== undefined ? [record.stopped] : [];
}

function isPoint(record: RuntimeRecord): record is StreamRecord | ChunkRecord | ClockRecord {
  return record.type === 'stream' || record.type === 'chunk' || record.type === 'clock';
}

/** Records may stand later in the file than they happened. */
function inOrder(a: LogPointFields, b: LogPointFields): number {
  return a.step - b.step || a.order - b.order;
}
