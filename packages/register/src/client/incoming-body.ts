import type { IncomingMessage } from 'node:http';
import type { Tell, Untold } from './untold.js';

/** A piece of a body as it came over the wire. */
export interface Piece {
  readonly bytes: Uint8Array;
  /** Gives it to the program. */
  readonly tell: Tell;
}

type Step = IteratorResult<Piece, undefined>;

/** Who waits for the next piece. */
interface Waiting {
  readonly resolve: (step: Step) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The body of an answer, on its way to a program that reads it: whatever comes is recorded before it is given on, so
 * that all that the program does with it comes after it.
 */
export class IncomingBody {
  readonly #arrived: Piece[] = [];
  #end: 'ended' | Error | null = null;
  #waiting: Waiting | null = null;
  #isHeld = true;

  /** @param onEnded told when all of it has come */
  constructor(response: IncomingMessage, untold: Untold, onEnded: () => void) {
    const { push } = response;
    const give = (bytes: Uint8Array | null, encoding?: BufferEncoding): boolean =>
      Reflect.apply(push, response, [bytes, encoding]) as boolean;
    response.push = (bytes: Uint8Array | null, encoding) => {
      if (untold.isOver) return give(bytes, encoding);
      // Node says it again where the connection closes.
      if (this.#end !== null) return false;
      const tell = untold.add(() => void give(bytes, encoding));
      if (bytes === null) {
        this.#over('ended');
        onEnded();
      } else this.#arrive({ bytes, tell });
      // Of what is held back, all comes that there is, though nobody reads it.
      return this.#isHeld || response.readableLength < response.readableHighWaterMark;
    };
  }

  /** From now on the program may say how much of it is to come. */
  letGo(): void {
    this.#isHeld = false;
  }

  /** No more will come. */
  fail(error: Error): void {
    if (this.#end === null) this.#over(error);
  }

  next(): Promise<Step> {
    const piece = this.#arrived.shift();
    if (piece !== undefined) return Promise.resolve({ done: false, value: piece });
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#settle();
    });
  }

  #arrive(piece: Piece): void {
    this.#arrived.push(piece);
    const waiting = this.#take();
    if (waiting !== null) waiting.resolve({ done: false, value: this.#arrived.shift() as Piece });
  }

  #over(end: 'ended' | Error): void {
    this.#end = end;
    this.#settle();
  }

  #settle(): void {
    const end = this.#end;
    if (end === null) return;
    const waiting = this.#take();
    if (end === 'ended') waiting?.resolve({ done: true, value: undefined });
    else waiting?.reject(end);
  }

  #take(): Waiting | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting;
  }
}
