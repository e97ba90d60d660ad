import { clearOfReplacements, REDACTED } from '../replacement.js';
import { type PlacedDocument, Region } from './json-regions.js';
import type { Splice } from './splice.js';

/**
 * Splices that leave JSON in a text sound, whichever rule they are of. In a string, a splice takes in the escapes that it
 * would cut in two. A number, `true`, `false` or `null` goes as a whole, for a string that says so, and so does an object
 * or array of which nothing would be left. Of what reaches over several values, each goes by itself: what stands between
 * them says nothing, and stays.
 *
 * Rules are asked again until none strikes, so none may strike for ever. Each splice here takes away characters that are
 * no replacement, or makes one replacement of several; it adds a replacement and, where a number, a word, an object or an
 * array goes, two quotes. So the number of characters that are neither part of a replacement nor quotes nor backslashes
 * never grows, and falls where quotes are added. Where it stays, that of quotes and backslashes does not grow, and where
 * that stays too, there are fewer replacements.
 */
export function soundSplices(text: string, splices: readonly Splice[]): readonly Splice[] {
  if (splices.every((splice) => isPlainlySound(text, splice))) return splices;
  const fitting = new Fitting(text);
  const root = new Region(text, 0, text.length, null);
  for (const splice of splices) fitting.region(root, splice.from, splice.to, splice);
  return fitting.splices;
}

const OF_A_WORD = /^[A-Za-z0-9_~%/+.=-]*$/;
const OF_NO_NUMBER = /[A-DF-Za-df-z_~%/=]/;
const OF_A_LITERAL = /^(?:t?r?u?e?|f?a?l?s?e?|n?u?l?l?)$/;
/** Characters of the longest escape but its last. */
const ESCAPE = 5;

/** Whether a splice cannot but lie in a string or outside of JSON, and cuts no escape. Nearly all are such. */
function isPlainlySound(text: string, { from, to }: Splice): boolean {
  const replaced = text.slice(from, to);
  if (!OF_A_WORD.test(replaced) || !OF_NO_NUMBER.test(replaced) || OF_A_LITERAL.test(replaced)) return false;
  for (let at = Math.max(0, from - ESCAPE); at < from; at++) if (text.charCodeAt(at) === 0x5c) return false;
  return true;
}

/** Puts splices where they leave what they are in sound. */
class Fitting {
  readonly splices: Splice[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  region(region: Region, from: number, to: number, splice: Splice): void {
    const documents = region.documents(from, to);
    const isCovered = documents.every((document) => document.from >= from && document.to <= to);
    if (documents.length === 0 || (isCovered && this.#isMoreThan(documents, from, to))) {
      this.#content(region, from, to, splice);
      return;
    }
    let at = from;
    for (const document of documents) {
      this.#between(region, at, document.from, splice);
      this.#document(document, Math.max(from, document.from), Math.min(to, document.to), splice);
      at = document.to;
    }
    this.#between(region, at, to, splice);
  }

  /** Whether there is text around the documents. */
  #isMoreThan(documents: readonly PlacedDocument[], from: number, to: number): boolean {
    const starts = [...documents.map((document) => document.from), to];
    const ends = [from, ...documents.map((document) => document.to)];
    return starts.some((start, index) => !this.#isBlank(ends[index] as number, start));
  }

  #isBlank(from: number, to: number): boolean {
    return from >= to || this.#text.slice(from, to).trim() === '';
  }

  #between(region: Region, from: number, to: number, splice: Splice): void {
    if (!this.#isBlank(from, to)) this.#content(region, from, to, splice);
  }

  #content(region: Region, from: number, to: number, splice: Splice): void {
    const [start] = region.around(from);
    const [, end] = region.around(to);
    this.#add(start, region.isText ? this.#beforeQuote(from, to) : end, REDACTED, splice);
  }

  /**
   * Leaves the backslashes before a quote where they are: in a piece of JSON text they belong to it, and a rule that takes
   * them for a part of its match would let the string end too early.
   */
  #beforeQuote(from: number, to: number): number {
    let end = to;
    if (this.#text[to] === '"') while (end > from && this.#text[end - 1] === '\\') end--;
    return end;
  }

  #document(document: PlacedDocument, from: number, to: number, splice: Splice): void {
    const quote = `${'\\'.repeat(document.slashes)}"`;
    for (const token of document.struck(from, to)) {
      if (token.content === null) {
        this.#add(token.from, token.to, `${quote}${REDACTED}${quote}`, splice);
        continue;
      }
      const start = Math.max(from, token.content.from);
      const end = Math.min(to, token.content.to);
      if (start < end) this.region(token.content, start, end, splice);
    }
  }

  /** What replaces nothing by itself is left out. */
  #add(from: number, to: number, by: string, splice: Splice): void {
    const span = from === to ? null : clearOfReplacements(this.#text, from, to);
    const last = this.splices.at(-1);
    if (span === null || (last !== undefined && span[1] <= last.to)) return;
    if (last !== undefined && span[0] < last.to) this.splices[this.splices.length - 1] = { ...last, to: span[1] };
    else this.splices.push({ ...splice, from: span[0], to: span[1], by });
  }
}
