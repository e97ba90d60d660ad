import type { Json } from '@stepfork/trace-format/write';
import { OpenStrings } from './open-strings.js';

/** A JSON document in running text: the data of a server-sent event, a line of JSON, a message. */
export interface Frame {
  readonly value: Json;
  readonly json: string;
  /** Where it starts. Counts from the text's beginning. */
  readonly from: number;
  /** What stands before it: `data:`. */
  readonly prefix: string;
}

/** A line that may come to hold a document. */
interface Line {
  readonly from: number;
  readonly parts: string[];
  length: number;
  /** What stands before the document; null as long as the document has not begun. */
  prefix: string | null;
  /** How long it was when it was last found to be incomplete. */
  tried: number;
  readonly strings: OpenStrings;
  /** Whether a string in it may end in the beginning of a secret. */
  isTelling: boolean;
}

/** `data: {`, `{`; and `0:"`, as the AI SDK's data streams have it. */
const BEGINNING = /^(?:(data:|[\da-z]:)[ \t]{0,8}(?=["{[])|[ \t]{0,8}(?=[{[]))/;
/** What may become one. */
const BEGUN = /^(?:d|da|dat|data|[\da-z]|(?:data|[\da-z]):[ \t]{0,8})$/;
const LINE_END = /[\r\n]/g;
/** A longer document is taken for running text. */
const MAX_FRAME = 256 * 1024;
/** A text in which so many more lines look like documents than are some holds none. */
const MAX_FAILED = 256;

/** Finds the documents in a text that comes in pieces. A piece may also be one by itself, without a line's end. */
export class FrameReader {
  readonly #isTelling: (text: string) => boolean;
  #end = 0;
  #line: Line | null = null;
  /** Whether lines of this text are documents, as far as is known. */
  #isLined = false;
  /** Whether the last piece ended with a document. */
  #isAtEnd = false;
  #failed = 0;

  /** @param isTelling whether the end of a text may be the beginning of a secret */
  constructor(isTelling: (text: string) => boolean) {
    this.#isTelling = isTelling;
  }

  /**
   * Where an incomplete document starts with which the next ones may have to be put together; past all text where
   * there is none. The first line that looks like one may be an answer in JSON, which is not to be held back for long.
   */
  get openFrom(): number {
    const line = this.#line;
    if (line === null || line.prefix === null) return Number.POSITIVE_INFINITY;
    const isOpen = this.#isLined || line.prefix === 'data:' || line.isTelling;
    return isOpen ? line.from : Number.POSITIVE_INFINITY;
  }

  add(text: string): readonly Frame[] {
    const start = this.#end;
    this.#end += text.length;
    if (this.#failed > MAX_FAILED) return NO_FRAMES;
    const frames: Frame[] = [];
    for (let at = 0; at < text.length; ) {
      LINE_END.lastIndex = at;
      const end = LINE_END.exec(text)?.index ?? -1;
      this.#goOn(text.slice(at, end < 0 ? text.length : end), start + at);
      const frame = end < 0 ? this.#atPieceEnd() : this.#atLineEnd();
      if (frame !== null) frames.push(frame);
      if (end < 0) break;
      at = end + 1;
    }
    return frames;
  }

  /** Takes what is there of the last line for all of it. */
  finish(): Frame | null {
    const line = this.#line;
    this.#line = null;
    return line === null ? null : this.#frameOf(line);
  }

  #goOn(part: string, from: number): void {
    if (part === '') return;
    this.#isAtEnd = false;
    this.#line ??= { from, parts: [], length: 0, prefix: null, tried: 0, strings: new OpenStrings(), isTelling: false };
    const line = this.#line;
    line.parts.push(part);
    line.length += part.length;
    if (line.length > MAX_FRAME) this.#line = null;
    else if (line.prefix === null) this.#begin(line);
    else this.#lookAt(line, part);
  }

  #begin(line: Line): void {
    const text = line.parts.join('');
    const prefix = BEGINNING.exec(text);
    if (prefix === null) {
      if (!BEGUN.test(text)) this.#line = null;
      return;
    }
    line.prefix = prefix[1] ?? '';
    this.#lookAt(line, text);
  }

  #lookAt(line: Line, part: string): void {
    if (this.#isLined || line.prefix === 'data:' || line.isTelling) return;
    line.isTelling = line.strings.saidIn(part).some(this.#isTelling);
  }

  #atLineEnd(): Frame | null {
    const line = this.#line;
    this.#line = null;
    const frame = line === null ? null : this.#frameOf(line);
    if (frame !== null || this.#isAtEnd) this.#isLined = true;
    this.#isAtEnd = false;
    if (frame !== null) return frame;
    if (line !== null && line.prefix !== null) this.#failed++;
    return null;
  }

  #atPieceEnd(): Frame | null {
    const line = this.#line;
    // A long one is not tried with each of many small pieces.
    if (line === null || line.length * 8 < line.tried * 9) return null;
    const frame = this.#frameOf(line);
    line.tried = line.length;
    if (frame === null) return null;
    this.#line = null;
    this.#isAtEnd = true;
    return frame;
  }

  #frameOf({ from, parts, prefix }: Line): Frame | null {
    // Most pieces of a long document end in the midst of it: not put together again for each.
    if (prefix === null || !CLOSES.has((parts.at(-1) as string).trimEnd().at(-1))) return null;
    const text = parts.join('');
    const rest = text.slice(prefix.length).trimStart();
    const start = text.length - rest.length;
    const json = rest.trimEnd();
    if (CLOSING[json[0] as string] !== json.at(-1)) return null;
    try {
      const value = JSON.parse(json) as Json;
      this.#failed = Math.max(0, this.#failed - 1);
      return { value, json, from: from + start, prefix };
    } catch {
      return null;
    }
  }
}

const NO_FRAMES: readonly Frame[] = [];
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']', '"': '"' };
const CLOSES: ReadonlySet<string | undefined> = new Set(Object.values(CLOSING));
