import { documentsIn, type JsonDocument, type JsonToken } from './json-documents.js';
import { afterSpace, endOfContent, endOfString } from './json-span.js';

/**
 * Text, or the content of a string in JSON, with the documents in it. It is asked about spans from left to right, and
 * looks at each of its characters a few times at most, however many spans there are.
 */
export class Region {
  readonly from: number;
  readonly to: number;
  readonly isText: boolean;
  readonly #text: string;
  /** What stands before each quote of the level. */
  readonly #slashes: number;
  #documents: readonly PlacedDocument[] | null = null;
  /** The first document that may matter to what comes next. */
  #next = 0;
  /** Where the next escape begins, or the next pair of backslashes; past the end for none. */
  #escape: number;
  /** Past the backslashes that stand there. */
  #runEnd = 0;

  /** @param slashes what stands before each quote of the level; null for text outside any string */
  constructor(text: string, from: number, to: number, slashes: number | null) {
    this.#text = text;
    this.from = from;
    this.to = to;
    this.isText = slashes === null;
    this.#slashes = slashes ?? 0;
    this.#escape = from;
    this.#findEscape(from);
  }

  /** The documents that overlap a span. */
  documents(from: number, to: number): readonly PlacedDocument[] {
    this.#documents ??= this.#find().map((document) => new PlacedDocument(this.#text, document));
    const all = this.#documents;
    while (this.#next < all.length && (all[this.#next] as PlacedDocument).to <= from) this.#next++;
    let end = this.#next;
    while (end < all.length && (all[end] as PlacedDocument).from < to) end++;
    return all.slice(this.#next, end);
  }

  #find(): readonly JsonDocument[] {
    const slashes = this.isText ? 0 : 2 * this.#slashes + 1;
    const string = stringIn(this.#text, this.from, this.to, slashes);
    if (string !== null) return [string];
    return documentsIn(this.#text, this.from, this.to, this.isText ? null : slashes);
  }

  /** Where the escape begins and ends that an index would cut in two; twice the index where it cuts none. */
  around(index: number): readonly [number, number] {
    while (!this.isText && this.#escape < index) {
      const end = this.#endOfEscape(index);
      if (end > index) return [this.#escape, end];
      this.#findEscape(end);
    }
    return [index, index];
  }

  /** Past the first escape, or past as many pairs of backslashes as end before an index. */
  #endOfEscape(index: number): number {
    const pair = 2 * (this.#slashes + 1);
    const start = this.#escape;
    const run = this.#runEnd;
    const pairs = start + Math.floor((run - start) / pair) * pair;
    if (start < pairs) {
      const before = start + Math.floor((index - start) / pair) * pair;
      return Math.min(pairs, Math.max(before, start + pair));
    }
    const isCode = this.#text[run] === 'u' && /^[0-9a-fA-F]{4}$/.test(this.#text.slice(run + 1, run + 5));
    return Math.min(this.to, run + (isCode ? 5 : 1));
  }

  #findEscape(from: number): void {
    if (from < this.#runEnd) {
      this.#escape = from;
      return;
    }
    let at = this.isText ? this.to : from;
    while (at < this.to && this.#text.charCodeAt(at) !== 0x5c) at++;
    this.#escape = at < this.to ? at : Number.POSITIVE_INFINITY;
    this.#runEnd = at;
    while (this.#runEnd < this.to && this.#text.charCodeAt(this.#runEnd) === 0x5c) this.#runEnd++;
  }
}

/** A value or key that a span strikes on; a string with what it says. */
export interface Struck {
  readonly from: number;
  readonly to: number;
  readonly content: Region | null;
}

/** A document that is asked about spans from left to right. */
export class PlacedDocument {
  readonly from: number;
  readonly to: number;
  readonly slashes: number;
  readonly #text: string;
  readonly #tokens: readonly JsonToken[];
  /** The content of the last string that was struck, which the next span may strike too. */
  #last: Struck | null = null;
  #next = 0;

  constructor(text: string, { from, to, slashes, tokens }: JsonDocument) {
    this.#text = text;
    this.from = from;
    this.to = to;
    this.slashes = slashes;
    this.#tokens = tokens;
  }

  /** Objects and arrays that lie in the span as a whole, and what of the others it strikes on. */
  *struck(from: number, to: number): Generator<Struck> {
    const tokens = this.#tokens;
    while (this.#next < tokens.length && isPast(tokens[this.#next] as JsonToken, from)) this.#next++;
    let end = from;
    for (let at = this.#next; at < tokens.length; at++) {
      const token = tokens[at] as JsonToken;
      if (token.from >= to) return;
      if (token.to <= end) continue;
      if (token.kind === 'string') {
        yield this.#string(token);
      } else if (token.kind === 'bare' || (token.from >= from && token.to <= to)) {
        end = token.to;
        yield { from: token.from, to: token.to, content: null };
      }
    }
  }

  #string({ from, to }: JsonToken): Struck {
    if (this.#last?.from === from) return this.#last;
    const end = endOfContent(this.#text, from, to, this.slashes);
    this.#last = { from, to, content: new Region(this.#text, from + this.slashes + 1, end, this.slashes) };
    return this.#last;
  }
}

/** Whether no span from there on strikes on it. */
function isPast(token: JsonToken, from: number): boolean {
  return token.kind === 'container' ? token.from < from : token.to <= from;
}

/** A text that is one string of JSON. */
function stringIn(text: string, from: number, to: number, slashes: number): JsonDocument | null {
  const start = Math.min(to, afterSpace(text, from));
  if (!text.startsWith(`${'\\'.repeat(slashes)}"`, start)) return null;
  const end = endOfString(text, start, slashes);
  if (endOfContent(text, start, end, slashes) === end || afterSpace(text, end) < to) return null;
  return { from: start, to: end, slashes, tokens: [{ kind: 'string', from: start, to: end }] };
}
