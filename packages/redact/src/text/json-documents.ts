import { afterSpace, endOfString, slashesOf } from './json-span.js';

/** A part of a JSON document that a rule may strike on. */
export interface JsonToken {
  readonly kind: 'container' | 'string' | 'bare';
  readonly from: number;
  /** Past its end; infinite for a container that was cut off. */
  to: number;
}

/** A JSON object or array in a text, or the beginning of one that was cut off. */
export interface JsonDocument {
  readonly from: number;
  readonly to: number;
  /** What stands before each of its quotes. */
  readonly slashes: number;
  /** In the order of their beginnings. */
  readonly tokens: readonly JsonToken[];
}

type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma';

/** A number or a word, and what must follow it. */
const BARE =
  /(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?=(?:\s|\\+[nrt])*(?:[,\]}]|\\*"|(?![\s\S])))/y;
const SLASHES_UNKNOWN = -1;
/** So many values and keys tell that what is cut off was to be a document. */
const TELLING = 2;

/**
 * The documents that stand in a part of a text. What begins like one and goes on otherwise is none, but those that end
 * before are.
 *
 * @param slashes what stands before each quote of theirs; null for any depth of escaping
 */
export function documentsIn(text: string, from: number, to: number, slashes: number | null): readonly JsonDocument[] {
  const documents: JsonDocument[] = [];
  for (let at = nextOpening(text, from, to); at < to; at = nextOpening(text, at, to)) {
    const reader = new DocumentReader(text, at, to, slashes);
    at = reader.read();
    documents.push(...reader.documents);
  }
  return documents;
}

function nextOpening(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && text.charCodeAt(at) !== 0x7b && text.charCodeAt(at) !== 0x5b) at++;
  return at;
}

function backslashesFrom(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === 0x5c) end++;
  return end - at;
}

/** Reads what may be a document, token by token. */
class DocumentReader {
  documents: readonly JsonDocument[] = [];
  readonly #text: string;
  readonly #start: number;
  readonly #end: number;
  readonly #required: number | null;
  readonly #tokens: JsonToken[] = [];
  readonly #open: { readonly token: JsonToken; readonly isObject: boolean }[] = [];
  #slashes = SLASHES_UNKNOWN;
  #expected: Expected = 'value';
  /** Keys and values that are whole. */
  #count = 0;

  constructor(text: string, start: number, end: number, required: number | null) {
    this.#text = text;
    this.#start = start;
    this.#end = end;
    this.#required = required;
  }

  /**
   * Answers where to go on. Linear over all of a text: what is read again is at most one string, the last before a
   * document turned out to be none, and next time it is read for what stands in it.
   */
  read(): number {
    let at = this.#start;
    let before = at;
    do {
      const next = this.#token(at);
      if (next === null) {
        if (this.#count < TELLING || !this.#isOver(at)) return this.#failed(before, at);
        break;
      }
      before = at;
      at = this.#open.length === 0 ? next : this.#afterSpace(next);
    } while (this.#open.length > 0 && at < this.#end);
    if (this.#open.length > 0 && this.#count < TELLING) return this.#failed(before, at);
    this.documents = [this.#document(this.#start, at, this.#tokens)];
    return at;
  }

  #failed(before: number, at: number): number {
    const last = this.#tokens.at(-1);
    const wasString = last?.kind === 'string' && last.from === before;
    this.#keepWhole(wasString ? before : at);
    return Math.max(wasString ? before + 1 : at, this.#start + 1);
  }

  /** Whether the string ends there in which the document stands. */
  #isOver(at: number): boolean {
    const slashes = backslashesFrom(this.#text, at);
    return this.#text[at + slashes] === '"' && slashesOf(slashes) < this.#slashes;
  }

  #afterSpace(at: number): number {
    return Math.min(this.#end, afterSpace(this.#text, at));
  }

  /** Of what turned out to be none, the containers that are whole. */
  #keepWhole(to: number): void {
    const kept: JsonDocument[] = [];
    let tokens: JsonToken[] = [];
    let outer: JsonToken | null = null;
    for (const token of this.#tokens) {
      if (outer === null || token.from >= outer.to) {
        if (outer !== null) kept.push(this.#document(outer.from, outer.to, tokens));
        outer = token.kind === 'container' && token.to <= to ? token : null;
        tokens = [];
      }
      if (outer !== null) tokens.push(token);
    }
    if (outer !== null) kept.push(this.#document(outer.from, outer.to, tokens));
    this.documents = kept;
  }

  #document(from: number, to: number, tokens: readonly JsonToken[]): JsonDocument {
    const slashes = this.#slashes === SLASHES_UNKNOWN ? (this.#required ?? 0) : this.#slashes;
    return { from, to, slashes, tokens };
  }

  /** Past the token that stands there; null where none may. */
  #token(at: number): number | null {
    switch (this.#text[at]) {
      case '"':
      case '\\':
        return this.#string(at);
      case '{':
        return this.#opening(at, true);
      case '[':
        return this.#opening(at, false);
      case '}':
        return this.#closing(at, true);
      case ']':
        return this.#closing(at, false);
      case ':':
        return this.#sign(at, 'colon');
      case ',':
        return this.#sign(at, 'comma');
      default:
        return this.#bare(at);
    }
  }

  get #takesValue(): boolean {
    return this.#expected === 'value' || this.#expected === 'first value';
  }

  get #takesKey(): boolean {
    return this.#expected === 'key' || this.#expected === 'first key';
  }

  #string(at: number): number | null {
    if (!this.#takesValue && !this.#takesKey) return null;
    const slashes = backslashesFrom(this.#text, at);
    if (this.#text[at + slashes] !== '"' || slashesOf(slashes) !== slashes || !this.#isOwn(slashes)) return null;
    this.#slashes = slashes;
    const to = Math.min(endOfString(this.#text, at, slashes), this.#end);
    this.#tokens.push({ kind: 'string', from: at, to });
    this.#expected = this.#takesKey ? 'colon' : 'comma';
    this.#count++;
    return to;
  }

  #isOwn(slashes: number): boolean {
    if (this.#slashes !== SLASHES_UNKNOWN) return slashes === this.#slashes;
    return this.#required === null || slashes === this.#required;
  }

  #opening(at: number, isObject: boolean): number | null {
    if (!this.#takesValue) return null;
    const token: JsonToken = { kind: 'container', from: at, to: Number.POSITIVE_INFINITY };
    this.#tokens.push(token);
    this.#open.push({ token, isObject });
    this.#expected = isObject ? 'first key' : 'first value';
    return at + 1;
  }

  #closing(at: number, isObject: boolean): number | null {
    const last = this.#open.at(-1);
    const mayClose = this.#expected === 'comma' || this.#expected === (isObject ? 'first key' : 'first value');
    if (last?.isObject !== isObject || !mayClose) return null;
    this.#open.pop();
    last.token.to = at + 1;
    this.#expected = 'comma';
    this.#count++;
    return at + 1;
  }

  #sign(at: number, sign: 'colon' | 'comma'): number | null {
    if (this.#expected !== sign) return null;
    this.#expected = sign === 'comma' && this.#open.at(-1)?.isObject === true ? 'key' : 'value';
    return at + 1;
  }

  #bare(at: number): number | null {
    if (!this.#takesValue) return null;
    BARE.lastIndex = at;
    if (!BARE.test(this.#text)) return null;
    const to = BARE.lastIndex;
    this.#tokens.push({ kind: 'bare', from: at, to });
    this.#expected = 'comma';
    this.#count++;
    return to;
  }
}
