import { type AsyncHook, createHook, executionAsyncId } from 'node:async_hooks';
import { type BoundaryHandler, slot } from '@stepfork/recorder/boundary';
import { queueMicrotask } from './clock.js';
import { hasFakeTimersPending } from './fake-timers.js';
import type { RecordedTime } from './recorded-time.js';
import { isAnswered, type Stretch, Timeouts } from './timeouts.js';
import { hasFired, isInterval, isOut, type Resource, watchArming } from './timer-handle.js';
import { type OrderedTimer, TimerOrder } from './timer-order.js';
import { type WaitKind, waitKind } from './wait-kinds.js';

interface Wait extends OrderedTimer {
  readonly id: number;
  /** Nobody watches any more whether the agent arms it anew. */
  unwatch: () => void;
  readonly kind: WaitKind;
  readonly type: string;
  /** The code that began it. */
  readonly stretch: Stretch;
  /** How many recorded events had happened when it began. */
  readonly events: number;
  /** It belongs to the body of a call that really runs, and goes by the real clock. */
  readonly isReal: boolean;
}

/** What the waits ask of the run. */
export interface AskedByWaits {
  /** The recorded time, which goes on with the agent's timers. */
  readonly time: RecordedTime;
  /** Recorded time of what has to happen next; Infinity for nothing. */
  readonly next: () => number;
  /** Whether the recording says in which order things happen: not once the run has left it, or while bodies really run. */
  readonly isOrdered: () => boolean;
  /** A wait is over. */
  readonly onEnd: () => void;
}

/** What a file or a digest takes, in milliseconds: longer than nearly all do. */
const SHORT_WAIT = 5;
/** Milliseconds by which times of the recording are unsure: they are whole, and timers fire late. */
const BLUR = 5;
/** As many waits for a turn or a file that end one after the other, with no recorded event in between, lead nowhere. */
const TICKING = 16;

/**
 * The agent's own waits: timers, files, connections and processes that were begun in the async context of a
 * replayed run and are not instrumented. They are real in a replay, and nobody else can tell whether the run is
 * still moving.
 */
export class Waits {
  readonly #owner: BoundaryHandler;
  readonly #run: AskedByWaits;
  readonly #pending = new Map<number, Wait>();
  /** Those of them that are no timers. */
  readonly #others = new Map<number, Wait>();
  readonly #timeouts = new Timeouts();
  readonly #order: TimerOrder<Wait>;
  /** Whether timers were set in the stretch of code that runs now. */
  #isSetting = false;
  /** Whether all timers are held back: what the recording has next is on its way. */
  #isHolding = false;
  #changes = 0;
  #events = 0;
  #ended = 0;

  constructor(owner: BoundaryHandler, run: AskedByWaits) {
    this.#owner = owner;
    this.#run = run;
    this.#order = new TimerOrder(({ stretch }) => isAnswered(stretch));
  }

  open(): void {
    watch(this.#owner, this);
  }

  /** What is still going on comes as it would have. */
  close(): void {
    this.#order.open();
    for (const wait of this.#pending.values()) wait.unwatch();
    unwatch(this.#owner);
    this.#pending.clear();
    this.#others.clear();
  }

  /** Grows with every wait that begins or ends. */
  get changes(): number {
    return this.#changes;
  }

  /** A recorded event happened. */
  progressed(): void {
    this.#ended = 0;
    this.#events++;
  }

  /** The recorded time, not beyond `limit`: timers of the agent's that are over tell it, and it passes none that is not. */
  now(limit: number): number {
    const { time } = this.#run;
    // No other can be over.
    for (const { resource, due } of this.#order.free) if (due > time.latest && hasFired(resource)) time.reached(due);
    return time.now(Math.min(limit, this.#order.firstAfter(time.latest)));
  }

  /**
   * Whether one is going on that may be over by `until`, in recorded time. A timeout that nobody cleared goes on
   * long after, and brings nothing.
   */
  arePending(until: number): boolean {
    return this.#some((wait) => wait.kind !== 'timer' || wait.due <= until) || hasFakeTimersPending();
  }

  /** Whether anything but timers is going on, of which nobody knows when it is over. */
  areOthersGoingOn(): boolean {
    for (const [id, wait] of this.#others) if (isGoingOn(id, wait, false)) return true;
    return false;
  }

  /**
   * Whether a timer is going on that was set before the last recorded event, or waits for another one, and that was over
   * by `until` in the recording. Such a one ends: it may be waited for longer than the recording was silent.
   */
  areOwed(until: number): boolean {
    return this.#some(
      (wait) => wait.kind === 'timer' && (wait.events < this.#events || wait.end > wait.asked) && wait.due <= until,
    );
  }

  /** Whether one was over, in the recording, before `time`: it has to be over here too before what came then. */
  areDueBefore(time: number): boolean {
    if (this.#order.first + BLUR <= time) return true;
    if (this.#ended >= TICKING) return false;
    for (const [id, wait] of this.#others) if (isGoingOn(id, wait, false) && wait.due + BLUR <= time) return true;
    return false;
  }

  /** Something waits for the timer that is first: where that is a timeout of what is answered, it ends. */
  endForgotten(): void {
    this.#order.endForgotten();
  }

  /**
   * Ends the timer that is the first to be over, in recorded time, at once: where nothing but timers is going on, and it
   * is over by `until`.
   *
   * @returns the recorded time at which it would have been over; null where none was ended
   */
  skip(until: number): number | null {
    let first: Wait | null = null;
    for (const [id, wait] of this.#pending) {
      if (!isGoingOn(id, wait, true)) continue;
      if (wait.kind !== 'timer') return null;
      if (first === null || wait.due < first.due) first = wait;
    }
    if (first === null || first.due > until || !this.#order.endNow(first)) return null;
    return first.due;
  }

  /** Somebody waits for an answer, or for more of a stream. */
  asked(what: object): void {
    this.#timeouts.asked(what);
  }

  answered(what: object): void {
    this.#timeouts.answered(what);
  }

  /** Whether the code that runs now may owe it to one that is just over. */
  hasJustEnded(): boolean {
    for (const [id, { resource }] of this.#pending) {
      if (resource._destroyed === true || id === executionAsyncId()) return true;
    }
    return false;
  }

  /** What is going on, for a person: `2 Timeout, 1 FSREQCALLBACK`; empty for nothing. */
  describe(): string {
    const counts = new Map<string, number>();
    for (const [id, wait] of this.#pending) {
      if (isGoingOn(id, wait, false)) counts.set(wait.type, (counts.get(wait.type) ?? 0) + 1);
    }
    return [...counts].map(([type, count]) => `${count} ${type}`).join(', ');
  }

  begin(id: number, kind: WaitKind, type: string, resource: Resource, isReal: boolean): void {
    const wait: Wait = {
      ...{ id, kind, type, resource, isReal, events: this.#events, armed: null, asked: 0, end: 0, isOver: false },
      unwatch: () => {},
      stretch: this.#timeouts.here(),
      due: this.now(this.#run.next()) + lengthOf(kind, resource),
    };
    this.#pending.set(id, wait);
    this.#changes++;
    if (kind !== 'timer') this.#others.set(id, wait);
    else if (!isReal && !isInterval(resource)) this.#set(wait);
  }

  #set(timer: Wait): void {
    const { kind, resource } = timer;
    this.#order.add(timer);
    timer.unwatch = watchArming(resource, () => {
      this.#order.move(timer, this.now(this.#run.next()) + lengthOf(kind, resource));
      this.#lookSoon();
    });
    this.#lookSoon();
  }

  #lookSoon(): void {
    if (this.#isSetting) return;
    this.#isSetting = true;
    // It is not armed yet.
    queueMicrotask(() => {
      this.#isSetting = false;
      if (this.#isHolding) this.hold();
      else this.release();
    });
  }

  end(id: number): void {
    const wait = this.#pending.get(id);
    if (wait === undefined) return;
    this.now(this.#run.next());
    this.#pending.delete(id);
    this.#others.delete(id);
    this.#order.remove(wait);
    wait.unwatch();
    this.#changes++;
    if (wait.kind !== 'timer') this.#ended++;
    this.#run.onEnd();
  }

  /** Something is about to happen that the recording has before any timer ends. */
  hold(): void {
    if (!this.#run.isOrdered()) return;
    this.#isHolding = true;
    this.#order.hold();
  }

  /** Nothing is about to happen but that a timer ends. */
  release(): void {
    this.#isHolding = false;
    if (this.#run.isOrdered()) this.#order.release();
    else this.#order.open();
  }

  #some(fits: (wait: Wait) => boolean, unrefToo = false): boolean {
    for (const [id, wait] of this.#pending) {
      if (isGoingOn(id, wait, unrefToo) && fits(wait)) return true;
    }
    return false;
  }
}

function lengthOf(kind: WaitKind, resource: Resource): number {
  switch (kind) {
    case 'timer':
      return resource._idleTimeout ?? 0;
    case 'turn':
      return 0;
    case 'file':
    case 'job':
      return SHORT_WAIT;
    case 'open':
      return Number.POSITIVE_INFINITY;
  }
}

/** Not an interval, not synchronous, not over, not the one in whose callback we are, and (but for `unrefToo`) it keeps the process. */
function isGoingOn(id: number, { kind, resource }: Wait, unrefToo: boolean): boolean {
  if (kind === 'job' && typeof resource.ondone !== 'function') return false;
  if (isInterval(resource) || isOut(resource) || resource._destroyed === true || id === executionAsyncId())
    return false;
  return (unrefToo && kind === 'timer') || typeof resource.hasRef !== 'function' || resource.hasRef();
}

const watched = new Map<BoundaryHandler, Waits>();

/** One hook for all replays. It costs every promise in the process a little, so it is there during replays only. */
const hook: AsyncHook = createHook({
  init(id, type, _trigger, resource) {
    const kind = waitKind(type);
    if (kind === null) return;
    const frame = slot().frames.getStore();
    if (frame === undefined) return;
    watched.get(frame.handler)?.begin(id, kind, type, resource as Resource, frame.call !== null);
  },
  destroy(id) {
    for (const waits of watched.values()) waits.end(id);
  },
});

function watch(owner: BoundaryHandler, waits: Waits): void {
  if (watched.size === 0) hook.enable();
  watched.set(owner, waits);
}

function unwatch(owner: BoundaryHandler): void {
  if (watched.delete(owner) && watched.size === 0) hook.disable();
}
