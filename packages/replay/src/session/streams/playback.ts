import { types } from 'node:util';
import type { Act } from '@stepfork/recorder/boundary';
import type { LogEntry } from '../../delivery/recorded-log.js';
import type { StreamEnd } from '../../plan/planned-stream.js';
import { createDeferred, type Deferred } from '../deferred.js';
import { rejectedLater } from '../reply.js';
import type { StreamContent } from './stream-content.js';

/** What the consumer of a stream is given for one pull. */
export type Pulled = IteratorResult<unknown, unknown>;

/** What there is to ask of a stream that is no iterator. */
export const PLAIN: Act = { by: 'next', value: undefined };

/** What a stream asks of the replay that it is a part of. */
export interface Stage {
  /** Somebody waits for it; it comes back through `deliver`. */
  readonly ask: (entry: LogEntry) => void;
  /** It is given at once, since who reads it cannot wait. */
  readonly takeNow: (entry: LogEntry) => void;
  /** The consumer cancelled the stream, as it did in the recording. */
  readonly cancelled: (entry: LogEntry) => void;
  /** The consumer wants no more of it after so many chunks, of which the recording has `left` more. */
  readonly dropped: (given: number, left: number) => void;
  /** How the recording says that a step was asked for; null where it does not say it, or holds no such step. */
  readonly recordedAct: (step: number) => Act['by'] | null;
  /** Whether it says that of every step that it holds. */
  readonly areActsKnown: boolean;
  /** Something was thrown in, and the recording cannot say what came of that: it went on at this place, or did not. */
  readonly thrownInto: (given: number, goesOn: boolean) => void;
  /** Why a step cannot be what was recorded, because of how it is asked for; null where it can. */
  readonly objectionTo: (act: Act, step: number) => Error | null;
  /** More is read than the recording holds. Sticks to the replay. */
  readonly pastEnd: (end: Exclude<StreamEnd, 'complete' | 'failed'>, chunk: number) => Error;
  /** The stream cannot be cancelled while somebody waits for its next chunk. */
  readonly isCancelledBetweenSteps: boolean;
  /** Why nothing more is given that is not recorded, once the replay has diverged; null before. */
  readonly refusal: () => Error | null;
}

/** The places of a stream in the log. */
export interface StreamPlaces {
  readonly chunks: readonly LogEntry[];
  readonly end: LogEntry | null;
}

/**
 * A recorded stream being given anew. Whoever reads it pulls; each pull is answered when the recording has it. Never
 * does it give what was not recorded.
 */
export class Playback {
  readonly content: StreamContent;
  readonly #places: StreamPlaces;
  readonly #stage: Stage;
  /** Pulls that were not answered yet. */
  readonly #pulls: Pull[] = [];
  #given = 0;
  #isOver = false;

  constructor(content: StreamContent, places: StreamPlaces, stage: Stage) {
    this.content = content;
    this.#places = places;
    this.#stage = stage;
  }

  /** Whether somebody waits for more than the recording gave before the stream was cancelled. */
  get isPastCancellation(): boolean {
    return this.#isCancelled && this.#asked > this.#places.chunks.length;
  }

  /** The chunk, counted from 0, that somebody waits for; null where nobody does. */
  get awaited(): number | null {
    return this.#pulls.length === 0 ? null : this.#given;
  }

  /** What the consumer's act brings, when its place in the log has come. */
  step(act: Act): Promise<Pulled> {
    let closing: Closing | null;
    try {
      closing = this.#closing(act);
    } catch (refusal) {
      return rejectedLater(refusal);
    }
    if (closing !== null) return settled(closing);
    const index = this.#asked;
    const refusal = this.#objectionTo(act, index) ?? this.#objectionToPull(index);
    if (refusal !== null) return rejectedLater(refusal);
    const pull = { ...createDeferred(), act };
    this.#pulls.push(pull);
    const entry = this.#entryAt(index);
    if (entry !== null) this.#stage.ask(entry);
    return pull.promise as Promise<Pulled>;
  }

  /** Whether it ends the stream by itself, as what gives a stream up does; the stream is over then. */
  ends(act: Act): boolean {
    try {
      return this.#closing(act) !== null;
    } catch {
      // The step itself tells why it is refused.
      return false;
    }
  }

  /**
   * What it brings, at once.
   *
   * @throws what the recording threw there, or why it is refused
   */
  stepNow(act: Act): Pulled {
    const closing = this.#closing(act);
    if (closing !== null) return now(closing);
    const index = this.#given;
    const objection = this.#objectionTo(act, index);
    if (objection !== null) throw objection;
    const entry = this.#entryAt(index);
    if (entry === null)
      throw this.#stage.refusal() ?? this.#stage.pastEnd(this.#isCancelled ? 'cancelled' : 'cut', index);
    this.#stage.takeNow(entry);
    if (entry.chunk !== null) return this.#nextChunk();
    this.#isOver = true;
    return now(this.#last(act));
  }

  /** The turn of what was asked for has come. */
  deliver(entry: LogEntry): void {
    const pull = this.#pulls.shift();
    if (entry.chunk !== null) {
      pull?.resolve(this.#nextChunk());
      return;
    }
    this.#isOver = true;
    const last = this.#last(pull?.act ?? PLAIN);
    if ('thrown' in last) pull?.reject(last.thrown);
    else pull?.resolve(now(last));
    this.#settleRest();
  }

  /**
   * What a Node stream still held when its consumer destroyed it, and gave all the same: chunks that came, before the
   * recorded cancellation, in one turn with those before them.
   */
  takeHeld(): readonly unknown[] {
    const held: unknown[] = [];
    if (this.#isOver || !this.#isCancelled) return held;
    const { chunks } = this.#places;
    for (let entry = chunks[this.#given]; entry?.isPrompt === true; entry = chunks[this.#given]) {
      this.#stage.takeNow(entry);
      held.push(this.#nextChunk().value);
    }
    return held;
  }

  /** The consumer wants no more. */
  cancel(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#settleRest();
    const { chunks, end } = this.#places;
    const left = chunks.length - this.#given;
    if (left === 0 && end !== null && this.#isCancelled) this.#stage.cancelled(end);
    else this.#stage.dropped(this.#given, left);
  }

  /** The replay has diverged: nobody waits any longer for what is not recorded. */
  giveUp(refusal: Error): void {
    if (this.#hasEnd) return;
    const recorded = this.#places.chunks.length - this.#given;
    for (const pull of this.#pulls.splice(recorded)) pull.reject(refusal);
  }

  /** Whether what the recording has left is to be given, and nobody gives up the stream or waits for it. */
  get isLeft(): boolean {
    return !this.#isOver && this.#pulls.length === 0;
  }

  /** How many of its chunks nobody asked for. */
  get unread(): number {
    return this.#places.chunks.length - this.#given;
  }

  get #asked(): number {
    return this.#given + this.#pulls.length;
  }

  /** Whether reading to its end gives an end. */
  get #hasEnd(): boolean {
    return this.content.end === 'complete' || this.content.end === 'failed';
  }

  get #isCancelled(): boolean {
    return this.content.end === 'cancelled';
  }

  #entryAt(index: number): LogEntry | null {
    const { chunks, end } = this.#places;
    return chunks[index] ?? (index === chunks.length && this.#hasEnd ? end : null);
  }

  /** What was thrown in is compared where the recording says it. */
  #objectionTo(act: Act, index: number): Error | null {
    const isTold = act.by !== 'throw' || this.#stage.areActsKnown;
    return this.#stage.objectionTo(isTold ? act : PLAIN, index);
  }

  /**
   * A generator is cancelled between two of its steps, so none was pending when that was recorded. Other streams may
   * be cancelled while somebody waits for their next chunk: then only what comes of it tells.
   */
  #objectionToPull(index: number): Error | null {
    if (this.#hasEnd || index < this.#places.chunks.length) return null;
    const refusal = this.#stage.refusal();
    if (refusal !== null || !this.#isCancelled || !this.#stage.isCancelledBetweenSteps) return refusal;
    return this.#stage.pastEnd('cancelled', index);
  }

  /**
   * What the act comes to where it ends the stream by itself, so that nothing recorded is given for it; null where the
   * recording says what comes.
   *
   * @throws why it is refused
   */
  #closing(act: Act): Closing | null {
    if (this.#isOver) return passedOn(act);
    if (act.by === 'return') return this.#closingByReturn(act);
    if (act.by === 'next' || this.#stage.areActsKnown) return null;
    const goesOn = this.#mayCatch();
    this.#stage.thrownInto(this.#given, goesOn);
    if (goesOn) return null;
    this.cancel();
    return passedOn(act);
  }

  #closingByReturn(act: Act): Closing | null {
    const { chunks } = this.#places;
    // A chunk that is waited for while the stream is cancelled is none of those that were given.
    const index = Math.min(this.#asked, chunks.length);
    if (this.#stage.recordedAct(index) !== 'return') {
      this.cancel();
      return passedOn(act);
    }
    const objection = this.#stage.objectionTo(act, index);
    if (objection !== null) throw objection;
    if (index < chunks.length || this.content.end === 'failed') return null;
    this.cancel();
    return this.#last(act);
  }

  /**
   * Whether a recording that does not say what was thrown into the stream goes on where something is: then a generator
   * caught it. One that has not begun catches nothing.
   */
  #mayCatch(): boolean {
    const { kind, end } = this.content;
    const hasBegun = this.#asked > 0 || kind === 'async-iterable';
    return hasBegun && (this.#given < this.#places.chunks.length || end === 'complete');
  }

  #nextChunk(): Pulled {
    return { value: this.content.chunks[this.#given++], done: false };
  }

  /** What the recorded end comes to for whoever asks for it. */
  #last({ by, value }: Act): Closing {
    const { end, endsBy, passesOn, returned, thrown } = this.content;
    // What was recorded is what a `return` came to, of a stream that had nothing more to give.
    if (endsBy === 'return' && by === 'next') return { returned: undefined };
    if (end === 'failed') return { thrown: passesOn ? value : thrown };
    return { returned: passesOn ? value : returned };
  }

  #settleRest(): void {
    for (const pull of this.#pulls.splice(0)) pull.resolve({ value: undefined, done: true });
  }
}

interface Pull extends Deferred {
  readonly act: Act;
}

/** What the end of a stream comes to. */
type Closing = { readonly returned: unknown } | { readonly thrown: unknown };

/** What an iterator that is over, or has not caught it, makes of an act. */
function passedOn({ by, value }: Act): Closing {
  if (by === 'throw') return { thrown: value };
  return { returned: by === 'return' ? value : undefined };
}

function now(closing: Closing): Pulled {
  if ('thrown' in closing) throw closing.thrown;
  return { value: closing.returned, done: true };
}

/** What is returned may be a promise, which an async iterator waits for; anything else is given without a turn more. */
function settled(closing: Closing): Promise<Pulled> {
  if ('thrown' in closing) return Promise.reject(closing.thrown);
  const { returned } = closing;
  const end = (value: unknown): Pulled => ({ value, done: true });
  return types.isPromise(returned) ? returned.then(end) : Promise.resolve(end(returned));
}
