import { isActOfAgent, type LogEntry } from './recorded-log.js';

/** What the agent does within so many milliseconds of an outcome, it does because of that. */
const AT_ONCE = 2;
/** How much sooner, and how much later (on a busy machine) than a timer was over, in milliseconds, what it brought may stand in the log. */
const SOONER = 5;
const LATER = 500;

/** When the recorded agent did something that no outcome explains: calls, cancellations, and its end. A timer may have brought it. */
export class RecordedActs {
  /** In order. */
  readonly #times: readonly number[];

  /**
   * @param log in order
   * @param duration of the run, in milliseconds
   */
  constructor(log: readonly LogEntry[], duration: number) {
    const times: number[] = [];
    let outcome = 0;
    const act = (time: number): void => {
      if (time - outcome > AT_ONCE) times.push(time);
    };
    for (const entry of log) {
      if (!isActOfAgent(entry)) outcome = entry.time;
      else if (!entry.call.hidden) act(entry.time);
    }
    act(duration);
    this.#times = times;
  }

  /** Whether a timer that was over at that time may have brought one. */
  hasAt(time: number): boolean {
    let [low, high] = [0, this.#times.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#times[middle] as number) < time - SOONER) low = middle + 1;
      else high = middle;
    }
    return (this.#times[low] ?? Number.POSITIVE_INFINITY) <= time + LATER;
  }
}
