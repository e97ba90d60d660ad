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
  /** The recorded time, in milliseconds since the run began. */
  readonly now: () => number;
  readonly read: ReadClock;
}

/**
 * Milliseconds that a read takes. Whoever waits in a loop for the clock to move on would else wait for ever, and
 * whoever divides by the time that something took would divide by zero.
 */
const READ = 0.001;

/**
 * Time in a replayed run: the recorded time, which stands still while the run's code computes. It does not come to the
 * event that the recording has next before that event happens, but for a run that does nothing else than read it.
 */
export class RunClock implements Clock {
  readonly zone: Zone | null;
  readonly timeOrigin: number;
  readonly #start: number;
  readonly #runTime: () => number;
  readonly #read: ReadClock;
  /** Milliseconds since the run began, as last read. */
  #latest = 0;

  /**
   * @param start milliseconds since the epoch at which the run begins
   * @param zone null for the zone of the process
   * @param timeOrigin null for one that lets `performance.now()` go on from that of the code before the run
   * @param asks what the clock asks of the run
   */
  constructor(start: number, zone: Zone | null, timeOrigin: number | null, { now, read }: AskOfRun) {
    this.#start = start;
    this.zone = zone;
    this.#runTime = now;
    this.#read = read;
    this.timeOrigin = timeOrigin ?? start - elapsedMs();
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
    this.#latest = Math.max(this.#latest + READ, this.#runTime());
    return this.#start + this.#latest;
  }
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
