import { elapsedMs } from './clock.js';
import { isOut, type Resource, rearm } from './timer-handle.js';

/** A timer of the agent's, as its order needs it. */
export interface OrderedTimer {
  readonly resource: Resource;
  /** Recorded time at which it will be over. */
  due: number;
  /** Loop time at which it was armed; null until that is seen. */
  armed: number | null;
  /** Loop time at which it is over by itself, and at which it will be: later where it is held back. */
  asked: number;
  end: number;
  isOver: boolean;
}

/** Milliseconds by which two ends of timers must lie apart, in recorded time, to tell which was first. */
const SURE = 2;
/** For so many milliseconds a timer is held back at a time. No turn of the event loop takes half as long. */
const HOLD = 2_000;
/** So many are all looked at each time; of more, those that may need it, and all of them four times in that time. */
const FEW = 64;

/**
 * Has the agent's timers come in the recorded order, among themselves and with the answers. A replayed answer comes
 * sooner than the recorded one, and with it the timers that are set after it, which would overtake others; and on a
 * slow machine a timer may be over before an answer that came before it is given. None ends before its time but the
 * timeout of what is answered: that is not waited for, and ends in its place as soon as something after it is due.
 */
export class TimerOrder<T extends OrderedTimer> {
  readonly #isForgotten: (timer: T) => boolean;
  /** By recorded end. One that is over is dropped when it is come upon. */
  readonly #sorted: T[] = [];
  /** Those that are not held back: no other can end. */
  readonly #free = new Set<T>();
  /** Those that are not looked at yet. */
  #fresh: T[] = [];
  /** By how much loop time is ahead of ours. */
  #ahead = Number.NEGATIVE_INFINITY;
  /** Our time at which all are looked at again. */
  #again = 0;

  /** @param isForgotten whether it is the timeout of something that is answered, which nearly nobody clears */
  constructor(isForgotten: (timer: T) => boolean) {
    this.#isForgotten = isForgotten;
  }

  /** It was just set. */
  add(timer: T): void {
    this.#sorted.splice(this.#placeOf(timer.due), 0, timer);
    this.#fresh.push(timer);
  }

  /** The agent armed it anew. */
  move(timer: T, due: number): void {
    const at = this.#sorted.indexOf(timer);
    if (at >= 0) this.#sorted.splice(at, 1);
    timer.due = due;
    timer.armed = null;
    this.add(timer);
  }

  /** It is over, or was cleared. */
  remove(timer: T): void {
    timer.isOver = true;
    this.#free.delete(timer);
  }

  /** The recorded end of the first one that is going on; Infinity for none. */
  get first(): number {
    return this.#first()?.due ?? Number.POSITIVE_INFINITY;
  }

  /** Ends that one where it is the timeout of something that is answered. */
  endForgotten(): void {
    const timer = this.#first();
    if (timer !== null && this.#isForgotten(timer)) this.endNow(timer);
  }

  #first(): T | null {
    for (let at = 0; at < this.#sorted.length; ) {
      const timer = this.#sorted[at] as T;
      if (isDead(timer)) this.#sorted.splice(at, 1);
      else if (isOut(timer.resource)) at++;
      else return timer;
    }
    return null;
  }

  /** The recorded end of the first one that is going on and ends after `time`; Infinity for none. */
  firstAfter(time: number): number {
    const from = this.#placeOf(time);
    let to = from;
    while (to < this.#sorted.length && isDead(this.#sorted[to] as T)) to++;
    this.#sorted.splice(from, to - from);
    const timer = this.#sorted.slice(from, from + 2).find((each) => !isOut(each.resource));
    return timer?.due ?? Number.POSITIVE_INFINITY;
  }

  /** Those that may just have ended. */
  get free(): Iterable<T> {
    return this.#free;
  }

  /** All are held back. */
  hold(): void {
    for (const timer of this.#looked()) this.#holdBack(timer);
  }

  /** The one may end that ended first in the recording; those that ended with it, too. */
  release(): void {
    const looked = this.#looked();
    const last = this.first + SURE;
    for (const timer of looked) if (timer.due >= last) this.#holdBack(timer);
    let count = 0;
    while (count < this.#sorted.length && (this.#sorted[count] as T).due < last) count++;
    const first = this.#sorted.slice(0, count);
    const end = first.every(this.#isForgotten) ? this.#endOfNext(count) : Number.POSITIVE_INFINITY;
    for (const timer of first) this.#letGo(timer, end);
  }

  /** Loop time at which the first timer from there on is over by itself that is waited for; Infinity for none. */
  #endOfNext(from: number): number {
    for (let at = from; at < this.#sorted.length; at++) {
      const timer = this.#sorted[at] as T;
      if (!isDead(timer) && !isOut(timer.resource) && !this.#isForgotten(timer)) return timer.asked;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** None is held back any more. */
  open(): void {
    this.#fresh = [];
    for (const timer of [...this.#sorted]) this.#letGo(timer);
  }

  /** Ends one in the next turn but one; whether that can be. */
  endNow(timer: T): boolean {
    this.#free.add(timer);
    return this.#rearm(timer, 0);
  }

  /** Those that may have to be held back now. */
  #looked(): readonly T[] {
    const now = elapsedMs();
    const isForAll = this.#sorted.length <= FEW || now >= this.#again;
    if (isForAll) this.#again = now + HOLD / 4;
    const looked = isForAll ? [...this.#sorted] : [...this.#free, ...this.#fresh];
    this.#fresh = [];
    for (const timer of looked) this.#see(timer);
    return looked;
  }

  /** It is armed only after it was set. */
  #see(timer: T): void {
    const { _idleStart: armed = null, _idleTimeout: length = 0 } = timer.resource;
    if (timer.armed !== null || armed === null) return;
    timer.armed = armed;
    timer.asked = armed + length;
    timer.end = timer.asked;
    this.#ahead = Math.max(this.#ahead, armed - elapsedMs());
  }

  #holdBack(timer: T): void {
    if (isDead(timer) || isOut(timer.resource) || timer.armed === null) return;
    this.#free.delete(timer);
    const now = elapsedMs() + this.#ahead;
    if (timer.end < now + HOLD / 2) this.#rearm(timer, now + HOLD);
  }

  /** @param latest loop time at which it is over at the latest */
  #letGo(timer: T, latest = Number.POSITIVE_INFINITY): void {
    if (isDead(timer) || isOut(timer.resource)) return;
    this.#see(timer);
    this.#free.add(timer);
    const end = Math.min(timer.asked, latest);
    if (timer.armed !== null && timer.end !== end) this.#rearm(timer, end);
  }

  #rearm(timer: T, end: number): boolean {
    if (!rearm(timer.resource, end)) return false;
    timer.armed = timer.resource._idleStart ?? null;
    timer.end = end;
    return true;
  }

  /** How many end no later. */
  #placeOf(due: number): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] as T).due <= due) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Whether it does not come any more. */
function isDead({ isOver, resource }: OrderedTimer): boolean {
  return isOver || resource._destroyed === true;
}
