import { AsyncLocalStorage } from 'node:async_hooks';
import { clearInterval, setImmediate, setInterval } from './clock.js';
import type { Gate } from './gate.js';
import { isAbort, type LogEntry } from './recorded-log.js';
import type { RecordedTime } from './recorded-time.js';
import type { Waits } from './waits.js';

/** What the pump moves, and what it asks. */
export interface Pumped {
  readonly gate: Gate;
  readonly time: RecordedTime;
  readonly waits: Waits;
  /** Length of the recorded run, in milliseconds. */
  readonly duration: number;
  /** Whether it is the answer to an abort, and the agent has not aborted it. */
  readonly lacksAbort: (entry: LogEntry) => boolean;
  /** Gives it to whoever waits for it. Answered by `progressed`. */
  readonly deliver: (entry: LogEntry) => void;
  /** Whether the replay is over. */
  readonly isOver: () => boolean;
  /** Whether the run need not be waited for when nothing moves: something is held, or there is nothing to come. */
  readonly mayEndIdle: () => boolean;
  /** Whether the body of a call really runs. It takes its time. */
  readonly isRunningCalls: () => boolean;
  /** Ends the agent's next timer that is over by that recorded time; whether there was one. Not where timers are real. */
  readonly skipSleep: (until: number) => boolean;
  /** Nothing moves. */
  readonly stuck: () => void;
  /** Grows with every recorded event that happens in another active replay; null where there is none. */
  readonly progressElsewhere: () => number | null;
  /** The replay is over. Called once. */
  readonly over: () => void;
  /** One of these functions threw. Called at most once, and then nothing more. */
  readonly failed: (error: unknown) => void;
}

/** How much later than in the recording the agent's own timers may come: some are set at random. */
const SLACK_MS = 1_000;
/** Turns of the event loop between two deliveries: what follows from the first must have happened by then. */
const TURNS = 2;
/** So many turns are given to waits that follow one another (a loop over `setImmediate`), and no more. */
const MOST_TURNS = 256;
/** The body of a call that really runs may take so long. */
const LONGEST_CALL_MS = 600_000;
/** By what factor the agent's own work may take longer than it did, where nobody sees it go on. */
const SLOWER = 2;
const TICK_MS = 15;
/** By how much later than recorded a timer may be over that brought what comes next. */
const SHORT_MS = 10;
/** Ticks without any sign of life before the run counts as idle. */
const IDLE_TICKS = 3;

/**
 * Delivers held outcomes one by one and notices when nothing moves. It goes by turns of the event loop and, where
 * it has to wait, by ticks: on a machine that is starved of time the ticks come late too, so no one is judged
 * for that.
 */
export class Pump {
  readonly #run: Pumped;
  readonly #limitMs: number;
  /** Its own timers must not count as the agent's: they are made in the context in which the replay was started. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #ticker: ReturnType<typeof setInterval> | null = null;
  #isTurning = false;
  #turns = 0;
  /** Turns since a recorded event happened. */
  #spent = 0;
  /** Ticks since a recorded event happened. */
  #silent = 0;
  /** Ticks since anything happened, the agent's own waits included. */
  #quiet = 0;
  #seenWaits = 0;
  #seenElsewhere: number | null = null;

  constructor(run: Pumped, limitMs: number) {
    this.#run = run;
    this.#limitMs = limitMs;
  }

  /** Keeps the process alive until the replay is over. */
  start(): void {
    this.#ticker = this.#outside(() => setInterval(() => this.#guarded(() => this.#tick()), TICK_MS));
    this.wake();
  }

  /** Something happened that is in the recording. */
  progressed(): void {
    this.#silent = 0;
    this.#quiet = 0;
    this.#spent = 0;
    this.#run.waits.progressed();
    this.wake();
  }

  /** Whether what followed from the last recorded event is all over. */
  get isSettled(): boolean {
    return !this.#isTurning;
  }

  /** Whether a wait of the agent's is going on that may bring what the recording has next. */
  isWaiting(): boolean {
    const { waits, isRunningCalls } = this.#run;
    if (isRunningCalls()) return true;
    const slack = Math.max(SLACK_MS, 2 * this.#recordedSilence());
    return waits.arePending(this.#nextTime() + slack);
  }

  /** Something happened: see again whether an outcome may go. */
  wake(): void {
    this.#turns = 0;
    if (this.#ticker === null) return;
    if (this.#deliverable() !== null) this.#run.waits.hold();
    if (this.#isTurning) return;
    this.#isTurning = true;
    this.#nextTurn();
  }

  #nextTurn(): void {
    this.#outside(() => setImmediate(() => this.#guarded(() => this.#turn())));
  }

  #turn(): void {
    if (++this.#turns < TURNS && ++this.#spent < MOST_TURNS) this.#nextTurn();
    else if (this.#run.isOver()) this.#end();
    else if (this.#deliverNext()) this.#nextTurn();
    else {
      this.#isTurning = false;
      this.#run.waits.release();
      // An answer waits for the end of a timer.
      if (this.#run.gate.isOrdered && this.#run.gate.deliverable() !== null) this.#run.waits.endForgotten();
      this.#run.skipSleep(this.#nextTime() + SHORT_MS);
    }
  }

  /** The recorded time of what is to happen next. */
  #nextTime(): number {
    return this.#run.gate.next()?.time ?? this.#run.duration;
  }

  #deliverNext(): boolean {
    const entry = this.#deliverable();
    if (entry === null) return false;
    this.#run.deliver(entry);
    return true;
  }

  #deliverable(): LogEntry | null {
    const entry = this.#run.gate.deliverable();
    return entry === null || this.#mustWaitFor(entry) ? null : entry;
  }

  /**
   * A wait of the agent's that was over before this outcome in the recording has to be over here too; with an abort, the
   * timer that brought it is over at the same time.
   */
  #mustWaitFor(entry: LogEntry): boolean {
    if (!this.#run.gate.isOrdered || this.#isAtLimit()) return false;
    const { waits, lacksAbort } = this.#run;
    if (waits.areDueBefore(isAbort(entry) ? entry.time + SHORT_MS : entry.time)) return true;
    return waits.areOthersGoingOn() && lacksAbort(entry);
  }

  #tick(): void {
    this.#count();
    if (!this.#isTurning) this.#run.waits.release();
    if (this.#run.isOver() || this.#run.gate.deliverable() !== null) this.wake();
    else if (this.#quiet >= IDLE_TICKS && this.#run.skipSleep(Number.POSITIVE_INFINITY)) this.#quiet = 0;
    else if (this.#isIdle() || this.#isAtLimit()) this.#giveUp();
  }

  #giveUp(): void {
    this.#run.stuck();
    this.progressed();
  }

  #count(): void {
    const { waits, progressElsewhere } = this.#run;
    const elsewhere = progressElsewhere();
    this.#silent = elsewhere === null || elsewhere === this.#seenElsewhere ? this.#silent + 1 : 0;
    this.#quiet = waits.changes === this.#seenWaits ? this.#quiet + 1 : 0;
    this.#seenElsewhere = elsewhere;
    this.#seenWaits = waits.changes;
  }

  /** Nothing can move the run but what nobody sees, and the recording was not silent for as long as this. */
  #isIdle(): boolean {
    if (this.#quiet < IDLE_TICKS || !this.#run.mayEndIdle()) return false;
    if (this.#seenElsewhere !== null || this.isWaiting()) return false;
    return this.#quiet * TICK_MS >= Math.min(SLOWER * this.#recordedSilence(), this.#limitMs);
  }

  #isAtLimit(): boolean {
    const limit = this.#run.isRunningCalls() ? Math.max(this.#limitMs, LONGEST_CALL_MS) : this.#limitMs;
    if (this.#silent * TICK_MS < limit + this.#recordedSilence()) return false;
    return !this.#run.waits.areOwed(this.#nextTime() + SLACK_MS);
  }

  /** For how long nothing happened in the recording at this point. */
  #recordedSilence(): number {
    return Math.max(0, this.#nextTime() - this.#run.time.latest);
  }

  #end(): void {
    this.stop();
    this.#run.over();
  }

  /** Nothing more is delivered. */
  stop(): void {
    if (this.#ticker !== null) clearInterval(this.#ticker);
    this.#ticker = null;
  }

  /** A replay that breaks must say so: nobody else hears what a timer's callback throws, and the run would hang. */
  #guarded(step: () => void): void {
    if (this.#ticker === null) return;
    try {
      step();
    } catch (error) {
      this.stop();
      this.#run.failed(error);
    }
  }
}
