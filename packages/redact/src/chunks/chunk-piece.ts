import type { Splice } from '../text/splice.js';
import type { AssembledText, Span } from './assembled-text.js';
import type { FramedText } from './frames/framed-text.js';
import type { TextIdentity } from './text-identity.js';
import type { TextPiece } from './text-piece.js';
import { united } from './united.js';

/** A text in a chunk: a piece of texts that go on, itself and by the documents that it may hold parts of. */
export class ChunkPiece {
  readonly #piece: TextPiece;
  readonly #framed: FramedText;
  readonly #span: Span;
  readonly #isLone: boolean;

  constructor(piece: TextPiece, framed: FramedText, span: Span, identity: TextIdentity) {
    this.#piece = piece;
    this.#framed = framed;
    this.#span = span;
    this.#isLone = isLone(identity);
  }

  get framed(): FramedText {
    return this.#framed;
  }

  get texts(): readonly AssembledText[] {
    return this.#piece.texts;
  }

  /** @param lessons how much is known */
  isSettled(lessons: number): boolean {
    return this.#piece.isSettled() && this.#framed.isSettled(this.#span.to, lessons);
  }

  /** Gives it out, and answers what is to be replaced in it. */
  take(): readonly Splice[] {
    return united([this.#piece.take(this.#isLone && this.#framed.isFramed), this.#framed.take(this.#span)]);
  }
}

/** Whether nothing but its place tells a text from others. */
function isLone({ positions, numbers, ids, labels }: TextIdentity): boolean {
  return numbers === '' && ids === '' && labels === '' && !positions.includes(' ');
}
