import { isJsonArray, isJsonObject, type Json, type PathSegment, setKey } from '@stepfork/trace-format';

const REDACTED = '[REDACTED]';
const MORE = '…';

/**
 * Characters at the end of a text that was cut which are never shown: a secret that the cut went through is not
 * recognised any more, and is shorter than this.
 */
const END = 16 * 1024;

/** What tells of another field of the same object, and stays also where it stands after the cut. */
const TELLING = ['$stepfork', 'kind', 'name', 'key', 'method', 'path'];
/** Characters of such a field. */
const NAME = 256;

/** A bounded piece of a value. */
export interface Piece {
  readonly value: Json;
  /** Where the text stands that was cut; null where none was. */
  readonly cut: readonly PathSegment[] | null;
}

/** The beginning of a value, from which a line of so many characters can be made once it is redacted. */
export function pieceOf(value: Json, width: number): Piece {
  const cutter = new Cutter(2 * width + END);
  const piece = cutter.cut(value);
  return { value: piece, cut: cutter.path };
}

/** The piece, redacted, without what the cut may have hidden from the redaction. */
export function withoutEnd(redacted: Json, cut: Piece['cut']): Json {
  return cut === null ? redacted : shortened(redacted, cut);
}

function shortened(value: Json | undefined, path: readonly PathSegment[]): Json {
  if (value === REDACTED) return value;
  const [segment, ...rest] = path;
  if (segment === undefined) return typeof value === 'string' ? `${value.slice(0, -END)}${MORE}` : MORE;
  if (isJsonArray(value)) {
    return value.map((item, index) => (index === segment ? shortened(item, rest) : item));
  }
  // Where a name itself was redacted, nobody knows which of the fields it is.
  if (!isJsonObject(value) || !Object.hasOwn(value, segment)) return MORE;
  const fields: { [name: string]: Json } = {};
  for (const [name, item] of Object.entries(value)) {
    setKey(fields, name, name === segment ? shortened(item, rest) : item);
  }
  return fields;
}

class Cutter {
  path: PathSegment[] | null = null;
  readonly #at: PathSegment[] = [];
  #room: number;

  constructor(room: number) {
    this.#room = room;
  }

  cut(value: Json): Json {
    if (typeof value === 'string') return this.#text(value);
    this.#room -= 8;
    if (isJsonArray(value)) return this.#items(value);
    return isJsonObject(value) ? this.#fields(value) : value;
  }

  #text(text: string): string {
    if (text.length <= this.#room) {
      this.#room -= text.length;
      return text;
    }
    this.path = [...this.#at];
    // Whole groups of four, as text in Base64 has them.
    const piece = text.slice(0, Math.max(0, this.#room) & ~3);
    this.#room = 0;
    return piece;
  }

  #items(list: readonly Json[]): Json {
    const items: Json[] = [];
    for (const [index, item] of list.entries()) {
      if (this.#room <= 0) return [...items, MORE];
      this.#at.push(index);
      items.push(this.cut(item));
      this.#at.pop();
    }
    return items.length === list.length ? items : [...items, MORE];
  }

  #fields(object: { readonly [name: string]: Json }): Json {
    const fields: { [name: string]: Json } = {};
    for (const name in object) {
      if (this.#room <= 0) return this.#told(fields, object);
      this.#room -= name.length;
      this.#at.push(name);
      setKey(fields, name, this.cut(object[name] as Json));
      this.#at.pop();
    }
    return fields;
  }

  #told(fields: { [name: string]: Json }, object: { readonly [name: string]: Json }): Json {
    for (const name of TELLING) {
      if (Object.hasOwn(fields, name) || !Object.hasOwn(object, name)) continue;
      const told = object[name];
      if (typeof told === 'string') fields[name] = told.slice(0, NAME);
    }
    // A value with a tag is told by having these fields and no other.
    if (!Object.hasOwn(object, '$stepfork')) setKey(fields, MORE, MORE);
    return fields;
  }
}
