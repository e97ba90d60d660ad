import { elapsedMs } from './clock.js';
import { type Resource, rearm } from './timer-handle.js';

/** A timer of the agent's that is going on. */
export interface OrderedTimer {
  readonly resource: Resource;
  /** Recorded time at which it will be over. */
  readonly due: number;
  /** Loop time at which it was armed; null until that is seen. */
  armed: number | null;
  /** Loop time at which it is over by itself, and at which it will be: later where it is held back. */
  asked: number;
  end: number;
}

/** Milliseconds by which two ends of timers must lie apart, in recorded time, to tell which was first. */
const SURE = 2;
/** For so many milliseconds a timer is held back at a time. No turn of the event loop takes half as long. */
const HOLD = 2_000;

/**
 * Has the agent's timers come in the recorded order, among themselves and with the answers. A replayed answer comes
 * sooner than the recorded one, and with it the timers that are set after it, which would overtake others; and on a
 * slow machine a timer may be over before an answer that came before it is given. None ends before its time.
 */
export class TimerOrder {
  /** By how much loop time is ahead of ours. */
  #ahead = Number.NEGATIVE_INFINITY;

  /** It was armed a moment ago. */
  armed(timer: OrderedTimer, armed: number | null): void {
    timer.armed = armed;
    timer.asked = (armed ?? 0) + (timer.resource._idleTimeout ?? 0);
    timer.end = timer.asked;
    if (armed !== null) this.#ahead = Math.max(this.#ahead, armed - elapsedMs());
  }

  /** All are held back. */
  hold(timers: readonly OrderedTimer[]): void {
    for (const timer of timers) this.#holdBack(timer);
  }

  /**
   * The one may end that ended first in the recording; those that ended with it, too.
   *
   * @param first recorded time at which that is
   */
  release(timers: readonly OrderedTimer[], first: number): void {
    for (const timer of timers) {
      if (timer.due >= first + SURE) this.#holdBack(timer);
      else if (timer.end !== timer.asked) this.end(timer, timer.asked);
    }
  }

  /** Has one end at a loop time; whether that can be. */
  end(timer: OrderedTimer, end: number): boolean {
    if (!rearm(timer.resource, end)) return false;
    timer.armed = timer.resource._idleStart ?? null;
    timer.end = end;
    return true;
  }

  #holdBack(timer: OrderedTimer): void {
    const now = elapsedMs() + this.#ahead;
    if (timer.end < now + HOLD / 2) this.end(timer, now + HOLD);
  }
}
