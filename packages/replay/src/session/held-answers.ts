import type { PlannedCall } from '../plan/planned-call.js';
import { createDeferred, type Deferred } from './deferred.js';
import type { ReplayedCall } from './replayed-call.js';
import type { Answer } from './revive.js';

interface Held {
  readonly entry: ReplayedCall;
  readonly answer: Answer;
  readonly deferred: Deferred;
}

/** The promises that callers hold, until their outcomes' turn comes. */
export class HeldAnswers {
  readonly #held = new Map<PlannedCall, Held>();

  /** The promise to give to the caller. One without a recorded outcome never settles. */
  hold(call: PlannedCall, entry: ReplayedCall, answer: Answer): Promise<unknown> {
    const deferred = createDeferred();
    this.#held.set(call, { entry, answer, deferred });
    return deferred.promise;
  }

  deliver(call: PlannedCall): void {
    const held = this.#held.get(call);
    if (held === undefined) return;
    this.#held.delete(call);
    settle(held);
  }

  /** Who waits, in the order in which they came. */
  get entries(): readonly ReplayedCall[] {
    return [...this.#held.values()].map(({ entry }) => entry);
  }
}

function settle({ entry, answer, deferred }: Held): void {
  if (answer.type === 'pending') return;
  entry.status = answer.type === 'returned' ? 'ok' : 'error';
  if (answer.type === 'returned') deferred.resolve(answer.value);
  else deferred.reject(answer.thrown);
}
