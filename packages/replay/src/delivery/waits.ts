import { type AsyncHook, createHook, executionAsyncId } from 'node:async_hooks';
import { type BoundaryHandler, slot } from '@stepfork/recorder/boundary';
import { hasFakeTimersPending } from './fake-timers.js';
import { isAnswered, type Stretch, Timeouts } from './timeouts.js';
import { type WaitKind, waitKind } from './wait-kinds.js';

/** What a timer, or a handle, tells of itself; internals of Node's that have been there since its beginning. */
interface Resource {
  readonly hasRef?: () => boolean;
  /** Milliseconds. */
  readonly _idleTimeout?: number;
  /** Loop time at which it was last armed. */
  readonly _idleStart?: number | null;
  /** Milliseconds, of an interval. */
  readonly _repeat?: number | null;
  readonly _destroyed?: boolean;
  /** Of a timer: arms it anew. */
  readonly refresh?: () => unknown;
  /** Of a job of node:crypto; one that is done synchronously has none, and stays until it is collected. */
  readonly ondone?: unknown;
}

interface Wait {
  readonly kind: WaitKind;
  readonly type: string;
  readonly resource: Resource;
  /** The code that began it. */
  readonly stretch: Stretch;
  /** Recorded time at which it will be over. */
  due: number;
  armed: number | null;
}

/** What a file or a digest takes, in milliseconds: longer than nearly all do. */
const SHORT_WAIT = 5;
/** Milliseconds by which times of the recording are unsure: they are whole, and timers fire late. */
const BLUR = 5;
/** As many waits that end one after the other, with no recorded event in between, are a clock that ticks. */
const TICKING = 16;

/**
 * The agent's own waits: timers, files, connections and processes that were begun in the async context of a
 * replayed run and are not instrumented. They are real in a replay, and nobody else can tell whether the run is
 * still moving.
 */
export class Waits {
  readonly #owner: BoundaryHandler;
  readonly #now: () => number;
  readonly #onEnd: () => void;
  readonly #pending = new Map<number, Wait>();
  readonly #timeouts = new Timeouts();
  #changes = 0;
  #ended = 0;

  /**
   * @param now the recorded time
   * @param onEnd called when a wait is over
   */
  constructor(owner: BoundaryHandler, now: () => number, onEnd: () => void) {
    this.#owner = owner;
    this.#now = now;
    this.#onEnd = onEnd;
  }

  open(): void {
    watch(this.#owner, this);
  }

  close(): void {
    unwatch(this.#owner);
    this.#pending.clear();
  }

  /** Grows with every wait that begins or ends. */
  get changes(): number {
    return this.#changes;
  }

  /** A recorded event happened. */
  progressed(): void {
    this.#ended = 0;
  }

  /**
   * Whether one is going on that may be over by `until`, in recorded time. A timeout that nobody cleared goes on
   * long after, and brings nothing.
   */
  arePending(until: number): boolean {
    return this.#some((wait) => wait.kind !== 'timer' || this.#due(wait) <= until) || hasFakeTimersPending();
  }

  /**
   * Whether one was over, in the recording, before `time`: it has to be over here too before what came then. Not so
   * the timeout of something that is answered, where another timer, which ended only after that time, would end here
   * as soon: calls that follow each other within moments bring their timeouts together.
   */
  areDueBefore(time: number): boolean {
    if (this.#ended >= TICKING) return false;
    const limit = this.#nextEndAfter(time);
    return this.#some((wait) => {
      const isForgotten = isAnswered(wait.stretch) && endOf(wait.resource) + BLUR >= limit;
      return !isForgotten && this.#due(wait) + BLUR <= time;
    }, true);
  }

  /** Loop time at which the first of the timers is over that, in the recording, were so only after `time`. */
  #nextEndAfter(time: number): number {
    let end = Number.POSITIVE_INFINITY;
    this.#some((wait) => {
      if (wait.kind === 'timer' && this.#due(wait) > time) end = Math.min(end, endOf(wait.resource));
      return false;
    }, true);
    return end;
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
      if (first === null || this.#due(wait) < this.#due(first)) first = wait;
    }
    if (first === null || this.#due(first) > until || !endNow(first.resource)) return null;
    first.armed = first.resource._idleStart ?? null;
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

  begin(id: number, kind: WaitKind, type: string, resource: Resource): void {
    const due = this.#now() + lengthOf(kind, resource);
    this.#pending.set(id, { kind, type, resource, stretch: this.#timeouts.here(), due, armed: null });
    this.#changes++;
  }

  end(id: number): void {
    if (!this.#pending.delete(id)) return;
    this.#changes++;
    this.#ended++;
    this.#onEnd();
  }

  #some(fits: (wait: Wait) => boolean, unrefToo = false): boolean {
    for (const [id, wait] of this.#pending) {
      if (isGoingOn(id, wait, unrefToo) && fits(wait)) return true;
    }
    return false;
  }

  /** A timer that is refreshed starts anew. */
  #due(wait: Wait): number {
    const { _idleStart: armed = null, _idleTimeout: length = 0 } = wait.resource;
    if (wait.kind !== 'timer' || armed === wait.armed) return wait.due;
    if (wait.armed !== null) wait.due = this.#now() + length;
    wait.armed = armed;
    return wait.due;
  }
}

/** Loop time at which a timer is over. */
function endOf({ _idleStart: armed, _idleTimeout: length = 0 }: Resource): number {
  return (armed ?? 0) + length;
}

/** A timer that is armed anew for the shortest time is over in the next turn but one. */
function endNow(timer: Resource): boolean {
  if (typeof timer.refresh !== 'function' || typeof timer._idleTimeout !== 'number') return false;
  Object.assign(timer, { _idleTimeout: 1 });
  timer.refresh();
  return true;
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
  if (typeof resource._repeat === 'number' || resource._destroyed === true || id === executionAsyncId()) return false;
  return (unrefToo && kind === 'timer') || typeof resource.hasRef !== 'function' || resource.hasRef();
}

const watched = new Map<BoundaryHandler, Waits>();

/** One hook for all replays. It costs every promise in the process a little, so it is there during replays only. */
const hook: AsyncHook = createHook({
  init(id, type, _trigger, resource) {
    const kind = waitKind(type);
    if (kind === null) return;
    const frame = slot().frames.getStore();
    if (frame !== undefined) watched.get(frame.handler)?.begin(id, kind, type, resource as Resource);
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
