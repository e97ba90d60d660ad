import type { PlannedCall } from '../plan/planned-call.js';
import { createDeferred, type Deferred } from './deferred.js';
import type { ReplayedCall } from './replayed-call.js';
import type { Answer } from './revive.js';

/** What is held: an answer, or a stream that goes on once it is given. */
export type HeldAnswer = Exclude<Answer, { type: 'streamed' }> | { readonly type: 'opened'; readonly stream: object };

interface Held {
  readonly entry: ReplayedCall;
  readonly answer: HeldAnswer;
  readonly deferred: Deferred;
}

/** The promises that callers hold, until their outcomes' turn comes. */
export class HeldAnswers {
  readonly #held = new Map<PlannedCall, Held>();

  /** The promise to give to the caller. One without a recorded outcome never settles. */
  hold(call: PlannedCall, entry: ReplayedCall, answer: HeldAnswer): Promise<unknown> {
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

  /** The caller is to see this in place of the answer. */
  refuse(call: PlannedCall, refusal: Error): void {
    const held = this.#held.get(call);
    if (held === undefined) return;
    this.#held.delete(call);
    held.entry.status = 'error';
    held.deferred.reject(refusal);
  }

  /** Who waits, in the order in which they came. */
  get entries(): readonly ReplayedCall[] {
    return [...this.#held.values()].map(({ entry }) => entry);
  }
}

function settle({ entry, answer, deferred }: Held): void {
  switch (answer.type) {
    case 'pending':
      return;
    case 'opened':
      deferred.resolve(answer.stream);
      return;
    case 'returned':
      entry.status = 'ok';
      deferred.resolve(answer.value);
      return;
    case 'threw':
      entry.status = 'error';
      deferred.reject(answer.thrown);
  }
}
