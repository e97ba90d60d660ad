import type { PlannedCall } from '../plan/planned-call.js';

/** Which recorded call answers a live one. */
export interface Match {
  readonly call: PlannedCall;
  /** It was recorded in another frame: the live call's context was lost. */
  readonly reparented: boolean;
}

/**
 * The recorded calls and which of them are taken. A live call takes the earliest untaken call of its frame with
 * its fingerprint; where its frame has none and exactly one other frame has, that one. But what happened inside a
 * call that was answered already is over: an agent that makes that call itself makes one call more than recorded.
 */
export class Matcher {
  readonly #calls: readonly PlannedCall[];
  readonly #taken = new Set<PlannedCall>();
  readonly #byKey = new Map<string, Map<number | null, Queue>>();
  /** Whose outcome was delivered. */
  readonly #answered = new Set<PlannedCall>();
  /** Frames of which a detached call was served though no body of theirs ran. */
  readonly #surfaced = new Set<number>();
  /** Frames whose bodies really run. */
  readonly #revealed = new Set<number>();
  /** Calls before it are not awaited. */
  #head = 0;

  constructor(calls: readonly PlannedCall[]) {
    this.#calls = calls;
    for (const call of calls) if (!call.manual) this.#enqueue(call);
  }

  #enqueue(call: PlannedCall): void {
    const frames = this.#byKey.get(call.fingerprint) ?? new Map<number | null, Queue>();
    this.#byKey.set(call.fingerprint, frames);
    const queue = frames.get(call.frame);
    if (queue === undefined) frames.set(call.frame, new Queue(call));
    else queue.calls.push(call);
  }

  /** Nothing is taken yet. */
  find(frame: number | null, fingerprint: string): Match | null {
    const frames = this.#byKey.get(fingerprint);
    if (frames === undefined) return null;
    const own = this.#first(frames.get(frame));
    if (own !== null) return { call: own, reparented: false };
    const elsewhere = [...frames.values()].map((queue) => this.#firstGoingOn(queue)).filter((call) => call !== null);
    return elsewhere.length === 1 && elsewhere[0] ? { call: elsewhere[0], reparented: true } : null;
  }

  /** The earliest untaken call of the frame for which `fits` holds. */
  search(frame: number | null, fits: (call: PlannedCall) => boolean): Match | null {
    const call = this.#calls.find(
      (each) => each.frame === frame && !each.manual && !this.#taken.has(each) && fits(each),
    );
    return call === undefined ? null : { call, reparented: false };
  }

  take({ call, reparented }: Match): void {
    this.#taken.add(call);
    if (!reparented || !call.detached || call.frame === null) return;
    this.#surfaced.add(call.frame);
    this.#head = 0;
  }

  /** Its body really runs: what that called is expected from now on. */
  reveal(call: PlannedCall): void {
    this.#revealed.add(call.index);
    this.#head = 0;
  }

  /** Its outcome was delivered. */
  answer(call: PlannedCall): void {
    this.#answered.add(call);
  }

  /** The first recorded call that is still to come. */
  nextExpected(): PlannedCall | null {
    while (this.#head < this.#calls.length && !this.#isAwaited(this.#calls[this.#head] as PlannedCall)) this.#head++;
    return this.#calls[this.#head] ?? null;
  }

  /** The recorded calls that are still to come, in recorded order. */
  untaken(): readonly PlannedCall[] {
    return this.#calls.filter((call) => this.#isAwaited(call));
  }

  /** The last of the untaken calls that are identical to `call`, if there is another. */
  lastRival(call: PlannedCall): PlannedCall | null {
    const queue = this.#byKey.get(call.fingerprint)?.get(call.frame);
    return queue?.calls.findLast((each) => each !== call && !this.#taken.has(each)) ?? null;
  }

  /** How many calls the recording expects of this replay. */
  get expected(): number {
    return this.#calls.filter((call) => this.#taken.has(call) || this.#isExpected(call)).length;
  }

  /** Whether it happened inside a call that was answered, and ended before that did. */
  #isOver(call: PlannedCall): boolean {
    if (call.detached) return false;
    for (let frame = call.frame; frame !== null; ) {
      const around: PlannedCall | undefined = this.#calls[frame];
      if (around === undefined) return false;
      if (this.#answered.has(around)) return true;
      frame = around.frame;
    }
    return false;
  }

  #isAwaited(call: PlannedCall): boolean {
    return !this.#taken.has(call) && this.#isExpected(call);
  }

  #isExpected(call: PlannedCall): boolean {
    const { hidden, manual, detached, frame } = call;
    if (!hidden) return true;
    if (manual || frame === null) return false;
    return this.#revealed.has(frame) || (detached && this.#surfaced.has(frame));
  }

  /** Those of an answered call are over, but for the detached ones that may stand among them. */
  #firstGoingOn(queue: Queue): PlannedCall | null {
    const first = this.#first(queue);
    if (first === null || !this.#isOver(first)) return first;
    return queue.calls.slice(queue.head).find((call) => !this.#taken.has(call) && !this.#isOver(call)) ?? null;
  }

  #first(queue: Queue | undefined): PlannedCall | null {
    if (queue === undefined) return null;
    while (queue.head < queue.calls.length && this.#taken.has(queue.calls[queue.head] as PlannedCall)) queue.head++;
    return queue.calls[queue.head] ?? null;
  }
}

/** Identical calls of one frame in recorded order. Those before `head` are taken. */
class Queue {
  readonly calls: PlannedCall[];
  head = 0;

  constructor(first: PlannedCall) {
    this.calls = [first];
  }
}
