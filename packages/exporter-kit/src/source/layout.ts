import type { Json, JsonObject } from '@stepfork/trace-format';
import { formatRootedPath, isJsonArray, isJsonObject, isPlainObject, StepforkError } from '@stepfork/trace-format';

/** Columns that biome and prettier fill by default. */
const WIDTH = 80;
/** Parsers recurse: far beyond what a recording may hold (100), far below what they stand. */
const MAX_DEPTH = 1_000;

/** A line break after a shorter left side would gain nothing. */
const WORTH_A_LINE = 6;

/** How a language writes what JSON holds, and how formatters lay it out. */
export interface Syntax {
  readonly string: (text: string) => string;
  readonly number: (value: number) => string;
  readonly bigint: (value: bigint) => string;
  readonly key: (name: string) => string;
  /** After the last of several lines. */
  readonly lastComma: ',' | '';
  /** Objects have a line for each property, however short they are. */
  readonly opensObjects: boolean;
  /** A string too long for its line goes to the next one. */
  readonly movesStrings: boolean;
  /** Lists of records or rows have a line for each, however short they are. */
  readonly opensTables: boolean;
}

/** Source text of one value, and whether it spans lines. */
export interface Written {
  readonly text: string;
  readonly broken: boolean;
}

/** Where a value starts: the indentation of its line, and its own column. */
export interface Place {
  readonly indent: number;
  readonly column: number;
}

/** `1e21`, where JavaScript itself prints `1e+21`. */
export function numberSource(value: number): string {
  return String(value).replace('e+', 'e');
}

/** A value at its place. Throws `not_a_literal` for what is no JSON, or is too deep. */
export function write(value: Json, place: Place, syntax: Syntax): Written {
  return new Layout(syntax).write(value, place);
}

/** A value after `left`, which ends in `=` or `:` and starts its line. */
export function assign(left: string, value: Json, indent: number, syntax: Syntax): Written {
  return new Layout(syntax).assign(left, value, indent);
}

class Layout {
  readonly #syntax: Syntax;
  readonly #path: (string | number)[] = [];

  constructor(syntax: Syntax) {
    this.#syntax = syntax;
  }

  assign(left: string, value: Json, indent: number): Written {
    const column = indent + left.length + 1;
    const { text, broken } = this.write(value, { indent, column });
    const isLong = typeof value === 'string' && column + text.length + 1 > WIDTH && left.length >= WORTH_A_LINE;
    return isLong && this.#syntax.movesStrings
      ? { text: `${left}\n${' '.repeat(indent + 2)}${text}`, broken: true }
      : { text: `${left} ${text}`, broken };
  }

  write(value: Json, place: Place): Written {
    switch (typeof value) {
      case 'string':
        return { text: this.#syntax.string(value), broken: false };
      case 'number':
        if (!Number.isFinite(value)) throw refused(String(value), this.#path);
        return { text: this.#syntax.number(value), broken: false };
      case 'bigint':
        return { text: this.#syntax.bigint(value), broken: false };
      case 'boolean':
        return { text: String(value), broken: false };
      case 'object':
        if (value === null) return { text: 'null', broken: false };
        if (this.#path.length >= MAX_DEPTH) throw refused(`a value nested deeper than ${MAX_DEPTH} levels`, []);
        return isJsonArray(value) ? this.#array(value, place) : this.#object(value, place);
      default:
        throw refused(typeof value, this.#path);
    }
  }

  #array(items: readonly Json[], { indent, column }: Place): Written {
    const inner = { indent: indent + 2, column: indent + 2 };
    const written: Written[] = [];
    // By index: a hole is a value that JSON does not have.
    for (let index = 0; index < items.length; index += 1) {
      this.#path.push(index);
      written.push(this.write(items[index] as Json, inner));
      this.#path.pop();
    }
    const frame = { open: '[', close: ']', pad: '', indent, column };
    if (items.every((item) => typeof item === 'number')) return this.#numbers(written, frame);
    return this.#container(written, frame, this.#syntax.opensTables && isTable(items));
  }

  #object(object: JsonObject, { indent, column }: Place): Written {
    if (!isPlainObject(object)) throw refused('an object that is not plain data', this.#path);
    const written = Object.keys(object).map((name) => {
      this.#path.push(name);
      const property = this.assign(`${this.#syntax.key(name)}:`, object[name] as Json, indent + 2);
      this.#path.pop();
      return property;
    });
    return this.#container(written, { open: '{', close: '}', pad: ' ', indent, column }, this.#syntax.opensObjects);
  }

  #container(parts: readonly Written[], frame: Frame, forced: boolean): Written {
    const { open, close, pad, indent } = frame;
    if (parts.length === 0) return { text: `${open}${close}`, broken: false };
    if (!forced && fitsOneLine(parts, frame)) {
      return { text: `${open}${pad}${parts.map((part) => part.text).join(', ')}${pad}${close}`, broken: false };
    }
    const margin = ' '.repeat(indent + 2);
    const lines = parts.map((part) => `${margin}${part.text}`).join(',\n');
    return { text: `${open}\n${lines}${this.#syntax.lastComma}\n${' '.repeat(indent)}${close}`, broken: true };
  }

  /** Numbers that do not fit one line fill as many as they need, not one each. */
  #numbers(parts: readonly Written[], frame: Frame): Written {
    if (parts.length === 0 || fitsOneLine(parts, frame)) return this.#container(parts, frame, false);
    const margin = ' '.repeat(frame.indent + 2);
    const lines: string[] = [];
    let line = margin;
    for (const [index, { text }] of parts.entries()) {
      const comma = index < parts.length - 1 ? ',' : this.#syntax.lastComma;
      if (line !== margin && line.length + text.length + 2 > WIDTH) {
        lines.push(line);
        line = margin;
      }
      line += line === margin ? `${text}${comma}` : ` ${text}${comma}`;
    }
    return { text: `[\n${[...lines, line].join('\n')}\n${' '.repeat(frame.indent)}]`, broken: true };
  }
}

interface Frame extends Place {
  readonly open: string;
  readonly close: string;
  readonly pad: string;
}

/** Room is kept for the comma or semicolon that follows. */
function fitsOneLine(parts: readonly Written[], { column, pad }: Frame): boolean {
  let end = column + 2 + 2 * pad.length + 1 - 2;
  for (const part of parts) {
    end += part.text.length + 2;
    if (part.broken || end > WIDTH) return false;
  }
  return true;
}

/** A list of records, or of rows. */
function isTable(items: readonly Json[]): boolean {
  if (items.length < 2) return false;
  const rows = items.every((item) => isJsonArray(item) && item.length > 1);
  return rows || items.every((item) => isJsonObject(item) && Object.keys(item).length > 1);
}

function refused(what: string, path: readonly (string | number)[]): StepforkError {
  const where = formatRootedPath(path);
  return new StepforkError('not_a_literal', `${what} at ${where} cannot be written into a test: it is not JSON`, {
    details: { path: where },
  });
}
