import type { BlockedAttempt } from '../guard/guard.js';
import type { PlannedCall } from '../plan/planned-call.js';
import { viewOf } from '../report/call-view.js';
import type { CallView } from '../report.js';
import type { LiveCall } from './live-call.js';

/** Stopped attempts that are kept. */
const MOST_BLOCKED = 1_000;

/** What a replay saw that is no divergence but that a report says. */
export class Observations {
  readonly ambiguous: CallView[] = [];
  readonly early: CallView[] = [];
  readonly reparented: CallView[] = [];
  readonly blocked: BlockedAttempt[] = [];
  readonly #ignored = new Map<string, number>();
  readonly #notes = new Set<string>();

  add(to: 'ambiguous' | 'early' | 'reparented', live: LiveCall, recorded: PlannedCall): void {
    this[to].push(viewOf(live, recorded.index));
  }

  /** The guard stopped something. An agent may try again for as long as the replay lasts. */
  block(attempt: BlockedAttempt): void {
    if (this.blocked.length < MOST_BLOCKED) this.blocked.push(attempt);
  }

  /** Declared volatility left something out of what is compared. */
  ignore(pattern: string, count: number): void {
    this.#ignored.set(pattern, (this.#ignored.get(pattern) ?? 0) + count);
  }

  get ignored(): readonly { readonly pattern: string; readonly count: number }[] {
    return [...this.#ignored].map(([pattern, count]) => ({ pattern, count }));
  }

  note(text: string): void {
    this.#notes.add(text);
  }

  get notes(): readonly string[] {
    return [...this.#notes];
  }
}
