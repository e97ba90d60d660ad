import type { LogEntry } from '../../delivery/recorded-log.js';
import type { StreamEnd } from '../../plan/planned-stream.js';
import { createDeferred, type Deferred } from '../deferred.js';
import { rejectedLater } from '../reply.js';
import type { StreamContent } from './stream-content.js';

/** What the consumer of a stream is given for one pull. */
export type Pulled = IteratorResult<unknown, unknown>;

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
  /** The consumer threw into a generator that, in the recording, went on at this place. */
  readonly thrownInto: (given: number) => void;
  /** Why a pull cannot be what was recorded, because of what was sent for the chunk; null where it can. */
  readonly objectionTo: (sent: unknown, chunk: number) => Error | null;
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
  readonly #pulls: Deferred[] = [];
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

  /** What comes next, when its place in the log has come. */
  pull(sent?: unknown): Promise<Pulled> {
    if (this.#isOver) return Promise.resolve(DONE);
    const index = this.#asked;
    const refusal = this.#stage.objectionTo(sent, index) ?? this.#objectionToPull(index);
    if (refusal !== null) return rejectedLater(refusal);
    const pull = createDeferred();
    this.#pulls.push(pull);
    const entry = this.#entryAt(index);
    if (entry !== null) this.#stage.ask(entry);
    return pull.promise as Promise<Pulled>;
  }

  /**
   * What comes next, at once.
   *
   * @throws what the recording threw there, or why it is refused
   */
  pullNow(sent?: unknown): Pulled {
    if (this.#isOver) return DONE;
    const index = this.#given;
    const objection = this.#stage.objectionTo(sent, index);
    if (objection !== null) throw objection;
    const entry = this.#entryAt(index);
    if (entry === null)
      throw this.#stage.refusal() ?? this.#stage.pastEnd(this.#isCancelled ? 'cancelled' : 'cut', index);
    this.#stage.takeNow(entry);
    if (entry.chunk !== null) return this.#nextChunk();
    this.#isOver = true;
    if (this.content.end === 'failed') throw this.content.thrown;
    return this.#last();
  }

  /** The turn of what was asked for has come. */
  deliver(entry: LogEntry): void {
    const pull = this.#pulls.shift();
    if (entry.chunk !== null) {
      pull?.resolve(this.#nextChunk());
      return;
    }
    this.#isOver = true;
    if (this.content.end === 'failed') pull?.reject(this.content.thrown);
    else pull?.resolve(this.#last());
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

  /** Whether the recording goes on where the consumer throws into the stream: its generator caught what was thrown. */
  catches(): boolean {
    const goesOn = this.#given < this.#places.chunks.length || this.content.end === 'complete';
    if (goesOn && !this.#isOver) this.#stage.thrownInto(this.#given);
    return goesOn && !this.#isOver;
  }

  /** The replay has diverged: nobody waits any longer for what is not recorded. */
  giveUp(refusal: Error): void {
    if (this.#hasEnd) return;
    const recorded = this.#places.chunks.length - this.#given;
    for (const pull of this.#pulls.splice(recorded)) pull.reject(refusal);
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

  #nextChunk(): Pulled {
    return { done: false, value: this.content.chunks[this.#given++] };
  }

  #last(): Pulled {
    return { done: true, value: this.content.returned };
  }

  #settleRest(): void {
    for (const pull of this.#pulls.splice(0)) pull.resolve(DONE);
  }
}

const DONE: Pulled = { done: true, value: undefined };
