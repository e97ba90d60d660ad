import { unescapeJson } from '../../text/json-span.js';
import { NO_SPLICES, type Splice } from '../../text/splice.js';
import type { AssembledText, Span } from '../assembled-text.js';
import { Identities } from '../text-identity.js';
import type { TextPiece } from '../text-piece.js';
import type { TextPlaces } from '../text-places.js';
import { type Frame, FrameReader } from './frame-reader.js';
import { jsonLeaves, writtenPlaces } from './json-leaves.js';

/** A text in a document that stands in a text. */
interface InnerPiece {
  readonly piece: TextPiece;
  /** Where its content starts in the text around it. */
  readonly from: number;
  /** As it is written there. */
  readonly written: string;
}

interface InnerSplice extends Splice {
  /** Whether a part of it is given out. */
  readonly isBegun: boolean;
}

/**
 * A text that may hold JSON documents, such as server-sent events. The texts in them go on from document to document,
 * as those of chunks do from chunk to chunk; what is to be replaced in them is replaced where they are written.
 */
export class FramedText {
  readonly #name: string;
  readonly #places: TextPlaces;
  readonly #reader: FrameReader;
  #end = 0;
  #isFramed = false;
  /** Those that are not given out. */
  #inner: InnerPiece[] = [];
  /** How many of them are settled, knowing how much. */
  #settled = 0;
  #lessons = 0;
  /** What is to be replaced in what is not given out, as far as it is known. */
  #splices: readonly InnerSplice[] = [];

  /**
   * @param name tells it from other such texts
   * @param isTelling whether the end of a text may be the beginning of a secret
   */
  constructor(name: string, places: TextPlaces, isTelling: (text: string) => boolean) {
    this.#name = name;
    this.#places = places;
    this.#reader = new FrameReader(isTelling);
  }

  add(text: string): Span {
    const from = this.#end;
    this.#end += text.length;
    for (const frame of this.#reader.add(text)) this.#look(frame);
    return { from, to: this.#end };
  }

  /** Takes what there is of the last document for all of it. */
  finish(): void {
    const frame = this.#reader.finish();
    if (frame !== null) this.#look(frame);
  }

  /** Whether documents were found in it. */
  get isFramed(): boolean {
    return this.#isFramed;
  }

  /** The texts in its documents. */
  get texts(): readonly AssembledText[] {
    return this.#inner.flatMap(({ piece }) => piece.texts);
  }

  /**
   * Whether the text up to an index may be given out.
   *
   * @param lessons how much is known
   */
  isSettled(to: number, lessons: number): boolean {
    if (lessons !== this.#lessons) this.#settled = 0;
    this.#lessons = lessons;
    for (; this.#settled < this.#inner.length; this.#settled++) {
      const { piece, from } = this.#inner[this.#settled] as InnerPiece;
      if (from >= to) break;
      if (!piece.isSettled()) return false;
    }
    return this.#reader.openFrom >= to;
  }

  /** Gives out the next part, and answers what is to be replaced in it. */
  take({ from, to }: Span): readonly Splice[] {
    const count = this.#countBefore(to);
    if (count === 0 && this.#splices.length === 0) return NO_SPLICES;
    const known = [...this.#splices, ...this.#inner.splice(0, count).flatMap(writtenSplices)];
    this.#settled = Math.max(0, this.#settled - count);
    this.#splices = known
      .filter((splice) => splice.to > to || splice.from >= to)
      .map((splice) => ({ ...splice, isBegun: splice.from < to }));
    return known
      .filter((splice) => splice.from < to && (splice.to > from || splice.from >= from))
      .map(({ isBegun, by, ...splice }) => ({
        ...splice,
        from: Math.max(splice.from, from) - from,
        to: Math.min(splice.to, to) - from,
        by: isBegun ? '' : by,
      }));
  }

  #countBefore(to: number): number {
    let count = 0;
    while (count < this.#inner.length && (this.#inner[count] as InnerPiece).from < to) count++;
    return count;
  }

  #look({ value, json, from, prefix }: Frame): void {
    this.#isFramed = true;
    const identities = new Identities(value);
    for (const leaf of jsonLeaves(json)) {
      const written = json.slice(leaf.from, leaf.to);
      if (written === '') continue;
      const identity = identities.of(leaf.path, false);
      const place = { flat: `${this.#name}\n${identity.flat}`, labels: prefix + identity.labels };
      const piece = this.#places.add({ ...identity, ...place }, unescapeJson(written, 0));
      this.#inner.push({ piece, from: from + leaf.from, written });
    }
  }
}

function writtenSplices({ piece, from, written }: InnerPiece): readonly InnerSplice[] {
  const splices = piece.take();
  if (splices.length === 0) return [];
  const places = writtenPlaces(
    written,
    splices.flatMap((splice) => [splice.from, splice.to]),
  );
  return splices.map((splice, index) => ({
    ...splice,
    from: from + (places[index * 2] as number),
    to: from + (places[index * 2 + 1] as number),
    by: JSON.stringify(splice.by).slice(1, -1),
    isBegun: false,
  }));
}
