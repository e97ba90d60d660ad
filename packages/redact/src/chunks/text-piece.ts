import { REDACTED } from '../replacement.js';
import type { Splice } from '../text/splice.js';
import { KEY_RULE } from '../text/text-redactor.js';
import type { AssembledText, PartSplice, Span } from './assembled-text.js';
import { united } from './united.js';

/** A text that something belongs to, which may become another one when that turns out to be a text of its own. */
export interface OwnText {
  readonly text: AssembledText;
  /** What it belongs to when that is no text of its own. */
  readonly parent: OwnText | null;
}

/** What one chunk says of a text, and of every other text that it may be a part of. */
export class TextPiece {
  readonly #own: OwnText;
  readonly #content: string;
  readonly #parts: { readonly text: AssembledText; readonly span: Span }[] = [];

  /** @param own the text that it belongs to beyond doubt */
  constructor(own: OwnText, content: string) {
    this.#own = own;
    this.#content = content;
  }

  joins(text: AssembledText, span: Span): void {
    this.#parts.push({ text, span });
  }

  /** A text that it is a part of has a twin from now on. */
  joinsFork(of: AssembledText, fork: AssembledText): void {
    const part = this.#parts.find(({ text }) => text === of);
    if (part !== undefined) this.joins(fork, part.span);
  }

  /** Whether nothing that may follow changes anything. */
  isSettled(): boolean {
    return this.#parts.every(({ text, span }) => text.isSettled(span.to));
  }

  /** The texts that it is a part of. */
  get texts(): readonly AssembledText[] {
    return this.#parts.map(({ text }) => text);
  }

  /**
   * Gives it out.
   *
   * @param isWhole whether only all that stood at its place has a say: what documents are cut into is no text by itself
   * @returns what is to be replaced in it: whatever one of its texts says
   */
  take(isWhole = false): readonly Splice[] {
    const isCut = this.#endsReplaced();
    const heard = isWhole ? this.#parts.slice(0, 1) : this.#parts;
    const splices = united(heard.map(({ text, span }) => this.#saidBy(text, span, isCut)));
    for (const { text, span } of this.#parts) {
      text.given(span, splices.at(-1)?.to === span.to - span.from);
      text.pieces.delete(this);
    }
    return splices;
  }

  /**
   * What one of its texts says. What goes on from a replacement is cut out; where that is missing in its own text, it
   * stands here, and so does what begins here for another text.
   */
  #saidBy(text: AssembledText, span: Span, isCut: boolean): readonly Splice[] {
    const isOwn = text === this.#own.text;
    return text
      .splicesIn(span)
      .filter((splice) => isOwn || this.#isHidden(text, splice))
      .map(({ goesOn, by, ...splice }) => ({
        ...splice,
        by: isCut && (goesOn || (!isOwn && splice.from === 0)) ? '' : by,
      }));
  }

  /** Whether something is to be hidden by what another text says than its own. */
  #isHidden({ isSeveral }: AssembledText, { from, to, rule }: PartSplice): boolean {
    // The quotes of several texts in one make strings that none of them has.
    if (isSeveral && rule === KEY_RULE) return false;
    return this.#content.slice(from, to).replaceAll(REDACTED, '') !== '';
  }

  /** Whether what it goes on from ends in a replacement. */
  #endsReplaced(): boolean {
    let own = this.#own;
    while (own.text.isUntouched && own.parent !== null) own = own.parent;
    return own.text.endsReplaced;
  }
}
