import { performance } from 'node:perf_hooks';
import { types } from 'node:util';
import type { ClockRead } from '@stepfork/trace-format';
import { elapsedMs } from '../delivery/clock.js';
import { timeOf } from './native.js';
import type { RecordedStart } from './recorded-start.js';
import { foreignZone, type Zone } from './zone.js';

/** The clock of one replayed run, as the patched Date, Intl and performance read it. */
export interface Clock {
  /** What `Date.now()` is: whole milliseconds since the epoch. */
  readonly date: () => number;
  /** What `performance.now()` is. */
  readonly performance: () => number;
  /** Where the run takes place; null for the zone of the process. */
  readonly zone: Zone | null;
  /** What `performance.timeOrigin` is in the run: `performance.now()` added to it is milliseconds since the epoch. */
  readonly timeOrigin: number;
}

/** What the recorded agent read off that clock where the run is now; null for nothing. */
type ReadClock = (clock: ClockRead[0]) => number | null;

/** What a clock asks of the run that goes by it. */
export interface AskOfRun {
  /** Recorded time of what has to happen next, in milliseconds since the run began; Infinity for nothing. */
  readonly next: () => number;
  readonly read: ReadClock;
}

/**
 * Milliseconds that a read takes. Whoever waits in a loop for the clock to move on would else wait for ever, and
 * whoever divides by the time that something took would divide by zero.
 */
const READ = 0.001;
/** Milliseconds for which the thread must have waited until the run counts as waiting. */
const WAITING = 1;

/**
 * Time in a replayed run. It stands at that of the recorded event that happened last while the run's code computes,
 * however slow this machine is, and goes on as real time does once the run waits (for a timer, a file): else a loop
 * that sleeps until a deadline would never end. It does not come to the event that the recording has next before
 * that event happens, but for a run that does nothing else than read it.
 */
export class RunClock implements Clock {
  readonly zone: Zone | null;
  readonly timeOrigin: number;
  readonly #start: number;
  readonly #next: () => number;
  readonly #read: ReadClock;
  /** Milliseconds since the run began: of the event that happened last, and as last read. */
  #event = 0;
  #latest = 0;
  #at = elapsedMs();
  #idleAt = idleMs();

  /**
   * @param start milliseconds since the epoch at which the run begins
   * @param zone null for the zone of the process
   * @param timeOrigin null for one that lets `performance.now()` go on from that of the code before the run
   * @param asks what the clock asks of the run
   */
  constructor(start: number, zone: Zone | null, timeOrigin: number | null, { next, read }: AskOfRun) {
    this.#start = start;
    this.zone = zone;
    this.#next = next;
    this.#read = read;
    this.timeOrigin = timeOrigin ?? start - this.#at;
  }

  /** What the recording has at `time`, in milliseconds since the run began, has happened. Never goes back. */
  advanceTo(time: number): void {
    this.#event = Math.max(this.#event, time);
    this.#latest = Math.max(this.#latest, time);
    this.#at = elapsedMs();
    this.#idleAt = idleMs();
  }

  date(): number {
    return this.#recorded('date', 0) ?? Math.floor(this.#now());
  }

  performance(): number {
    return this.#recorded('performance', this.timeOrigin) ?? this.#now() - this.timeOrigin;
  }

  /** The very value that the recorded agent read here; null where it did not, or that was not kept. */
  #recorded(clock: ClockRead[0], origin: number): number | null {
    const value = this.#read(clock);
    // What is read next is not earlier.
    if (value !== null) this.#latest = Math.max(this.#latest, origin + value - this.#start);
    return value;
  }

  /** Milliseconds since the epoch, with a fraction. Reading it takes a microsecond of the run's time. */
  #now(): number {
    const waited = Math.min(this.#event + this.#waited(), this.#next());
    this.#latest = Math.max(this.#latest + READ, waited);
    return this.#start + this.#latest;
  }

  /** Milliseconds since the last event; 0 where nobody has waited since. */
  #waited(): number {
    return idleMs() - this.#idleAt < WAITING ? 0 : elapsedMs() - this.#at;
  }
}

/** For how many milliseconds this thread's event loop has had nothing to do. */
function idleMs(): number {
  return performance.eventLoopUtilization().idle;
}

/** What a replay's option `now` may be. */
export type Now = 'recorded' | 'real' | Date;

/** The clock that a replayed run is to have; null for the real one. */
export function createRunClock(now: Now, recorded: RecordedStart, asks: AskOfRun): RunClock | null {
  if (now === 'real') return null;
  const zone = recorded.timeZone === null ? null : foreignZone(recorded.timeZone);
  if (types.isDate(now)) return new RunClock(timeOf(now), zone, null, { ...asks, read: () => null });
  return new RunClock(recorded.startMs, zone, recorded.timeOrigin, asks);
}
