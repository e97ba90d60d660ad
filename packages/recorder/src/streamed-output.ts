import { types } from 'node:util';
import { encodeValue, fromTraceValue, type StreamKind } from '@stepfork/trace-format/write';
import type { Frame, StopPoint, StreamTaken } from './boundary/handler.js';
import { isWithin } from './boundary/here.js';
import { slot } from './boundary/slot.js';
import type { Act, Cancellation, StreamObserver } from './boundary/stream/observer.js';
import { watchIfStream } from './boundary/stream/watch-stream.js';

/** What a run whose agent answered with a stream came to. */
export type StreamedEnd =
  | { readonly output: unknown; readonly taken: StreamTaken }
  | { readonly error: unknown; readonly taken: StreamTaken };

/**
 * The output of a run whose agent answers with a stream: the run goes on as long as that is read, and comes to what
 * its consumer was given.
 */
export class StreamedOutput implements StreamObserver {
  readonly #inside: Frame;
  readonly #around: Frame | undefined;
  readonly #over: (end: StreamedEnd) => void;
  readonly #chunks: unknown[] = [];
  readonly #sent: (readonly [number, unknown])[] = [];
  readonly #acts: (readonly [number, Act])[] = [];
  #kind: StreamKind = 'async-iterable';
  /** Its consumer has given up; what the stream does from then on, a read that comes to nothing included, is the clearing up. */
  #isCancelled = false;
  #stopped: StopPoint | undefined;
  #isOver = false;

  /**
   * @param inside the run's frame, which its producer's steps belong to
   * @param around what the run was begun in, which its consumer's listeners belong to
   * @param over told once
   */
  constructor(inside: Frame, around: Frame | undefined, over: (end: StreamedEnd) => void) {
    this.#inside = inside;
    this.#around = around;
    this.#over = over;
  }

  /** Whether the agent's answer is a stream, whose end is then the run's. */
  isOf(answer: unknown): boolean {
    // Of a promise nothing can be stood in for.
    const watched = watchIfStream(answer, this, true);
    if (watched === null) return false;
    this.#kind = watched.kind;
    unread.register(watched.stream, this, this);
    return true;
  }

  get isDone(): boolean {
    return this.#isOver || !this.#inside.handler.active;
  }

  inside<T>(step: () => T): T {
    return this.isDone ? step() : slot().frames.run(this.#inside, step);
  }

  outside<T>(step: () => T): T {
    const { frames } = slot();
    return frames.getStore() === this.#inside ? frames.run(this.#around as Frame, step) : step();
  }

  isConsumer(): boolean {
    return !isWithin(slot().frames.getStore(), this.#inside);
  }

  chunk(value: unknown, act?: Act): void {
    // Nobody asks what an unrecorded run came to.
    if (this.isDone || this.#isCancelled || this.#inside.handler.unrecorded === true) return;
    this.#note(act);
    this.#chunks.push(snapshot(value));
  }

  ended(returned?: unknown, act?: Act): void {
    if (this.#isCancelled) return;
    this.#note(act);
    this.#finish({ output: outputOf(this.#chunks, returned) }, 'complete');
  }

  failed(thrown: unknown, act?: Act): void {
    if (this.#isCancelled) return;
    this.#note(act);
    this.#finish({ error: thrown }, 'error');
  }

  cancelled({ returned, act, sourceEnded = false, reading = false, cleaned }: Cancellation = {}): void {
    if (this.isDone || this.#isCancelled) return;
    this.#isCancelled = true;
    // To be given up with nothing is what its end says.
    if (act?.value !== undefined) this.#note(act);
    // Told before it is cleared up; others are told when it is over, and it is known by itself when that begins.
    const point = sourceEnded || cleaned === undefined ? null : (this.#inside.handler.point?.() ?? null);
    if (point !== null) this.#stopped = { ...point, reading };
    const finish = (): void =>
      this.#finish({ output: outputOf(this.#chunks, returned) }, sourceEnded ? 'complete' : 'cancelled');
    if (cleaned === undefined) finish();
    // What its producer calls to clean up is part of the run.
    else cleaned.then(finish, finish);
  }

  #note(act?: Act): void {
    if (act === undefined || (act.by === 'next' && act.value === undefined)) return;
    const value = snapshot(act.value);
    if (act.by === 'next') this.#sent.push([this.#chunks.length, value]);
    else this.#acts.push([this.#chunks.length, { by: act.by, value }]);
  }

  /** Nobody will read on. */
  leftUnread(): void {
    this.#finish({ output: outputOf(this.#chunks, undefined) }, 'open');
  }

  #finish(outcome: { readonly output: unknown } | { readonly error: unknown }, end: StreamTaken['end']): void {
    if (this.#isOver) return;
    this.#isOver = true;
    unread.unregister(this);
    const taken = { kind: this.#kind, chunks: this.#chunks.length, end, sent: this.#sent, acts: this.#acts };
    this.#over({ ...outcome, taken: this.#stopped === undefined ? taken : { ...taken, stopped: this.#stopped } });
  }
}

/**
 * What a stream comes to as one value: what its generator returned; else its chunks, texts and bytes put together,
 * anything else as the list that it is.
 */
export function outputOf(chunks: readonly unknown[], returned: unknown): unknown {
  if (returned !== undefined || chunks.length === 0) return returned;
  if (chunks.every((chunk) => typeof chunk === 'string')) return chunks.join('');
  if (chunks.every(types.isUint8Array)) return Buffer.concat(chunks);
  return [...chunks];
}

/** A run must not stay open, and its file with it, for a stream that was dropped. */
const unread = new FinalizationRegistry<StreamedOutput>((output) => output.leftUnread());

/** The value as it is now: whoever is given a chunk may change it. What holds more than data stays the very value. */
function snapshot(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  try {
    const { json, placeholders } = encodeValue(value);
    return placeholders.length === 0 ? fromTraceValue(json) : value;
  } catch {
    return value;
  }
}
