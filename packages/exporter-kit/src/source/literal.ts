import type { Json, JsonObject } from '@stepfork/trace-format';
import { formatRootedPath, isJsonArray, isJsonObject, isPlainObject, StepforkError } from '@stepfork/trace-format';
import { stringLiteral } from './string-literal.js';

/** Columns that biome and prettier fill by default. */
const WIDTH = 80;
/** Parsers recurse: far beyond what a recording may hold (100), far below what they stand. */
const MAX_DEPTH = 1_000;

/** A line break after a shorter left side would gain nothing. */
const WORTH_A_LINE = 6;

/** Source text of one value, and whether it spans lines. */
interface Written {
  readonly text: string;
  readonly broken: boolean;
}

/** Where a value starts: the indentation of its line, and its own column. */
interface Place {
  readonly indent: number;
  readonly column: number;
}

/**
 * Source text that evaluates to exactly `value` and runs nothing, laid out as a formatter would.
 *
 * @param indent spaces before the line on which the literal starts
 * @param column where on that line it starts
 * @throws StepforkError `not_a_literal` for what is not JSON (NaN, undefined, a class instance) or is nested deeper
 * than 1,000 levels; the message names the path.
 */
export function literal(value: Json, indent = 0, column = indent): string {
  return write(value, { indent, column }, []).text;
}

/**
 * `left` and a literal after it, for a line that starts with `left`: `const expected = {…}`, `trace: '…'`. A string too
 * long for that line goes to the next one, as formatters have it.
 *
 * @param left with its `=` or `:`
 * @throws StepforkError `not_a_literal`, as `literal` does
 */
export function assigned(left: string, value: Json, indent = 0): string {
  return assign(left, value, indent, []).text;
}

function assign(left: string, value: Json, indent: number, path: (string | number)[]): Written {
  const column = indent + left.length + 1;
  const { text, broken } = write(value, { indent, column }, path);
  const onNextLine = typeof value === 'string' && column + text.length + 1 > WIDTH && left.length >= WORTH_A_LINE;
  return onNextLine
    ? { text: `${left}\n${' '.repeat(indent + 2)}${text}`, broken: true }
    : { text: `${left} ${text}`, broken };
}

function write(value: Json, place: Place, path: (string | number)[]): Written {
  switch (typeof value) {
    case 'string':
      return { text: stringLiteral(value), broken: false };
    case 'number':
      if (!Number.isFinite(value)) throw refused(String(value), path);
      return { text: Object.is(value, -0) ? '-0' : String(value), broken: false };
    case 'bigint':
      return { text: `${value}n`, broken: false };
    case 'boolean':
      return { text: String(value), broken: false };
    case 'object':
      if (value === null) return { text: 'null', broken: false };
      if (path.length >= MAX_DEPTH) throw refused(`a value nested deeper than ${MAX_DEPTH} levels`, []);
      return isJsonArray(value) ? writeArray(value, place, path) : writeObject(value, place, path);
    default:
      throw refused(typeof value, path);
  }
}

function writeArray(items: readonly Json[], { indent, column }: Place, path: (string | number)[]): Written {
  const inner = { indent: indent + 2, column: indent + 2 };
  const written: Written[] = [];
  // By index: a hole is a value that JSON does not have.
  for (let index = 0; index < items.length; index += 1) {
    path.push(index);
    written.push(write(items[index] as Json, inner, path));
    path.pop();
  }
  const layout = { open: '[', close: ']', pad: '', indent, column };
  if (items.every((item) => typeof item === 'number')) return numbers(written, layout);
  return container(written, layout, isTable(items));
}

function writeObject(object: JsonObject, { indent, column }: Place, path: (string | number)[]): Written {
  if (!isPlainObject(object)) throw refused('an object that is not plain data', path);
  const written = Object.keys(object).map((name) => {
    path.push(name);
    const property = assign(`${propertyKey(name)}:`, object[name] as Json, indent + 2, path);
    path.pop();
    return property;
  });
  return container(written, { open: '{', close: '}', pad: ' ', indent, column }, false);
}

interface Layout extends Place {
  readonly open: string;
  readonly close: string;
  readonly pad: string;
}

function container(parts: readonly Written[], layout: Layout, forced: boolean): Written {
  const { open, close, pad, indent } = layout;
  if (parts.length === 0) return { text: `${open}${close}`, broken: false };
  if (!forced && fitsOneLine(parts, layout)) {
    return { text: `${open}${pad}${parts.map((part) => part.text).join(', ')}${pad}${close}`, broken: false };
  }
  const margin = ' '.repeat(indent + 2);
  const lines = parts.map((part) => `${margin}${part.text},\n`).join('');
  return { text: `${open}\n${lines}${' '.repeat(indent)}${close}`, broken: true };
}

/** Room is kept for the comma or semicolon that follows. */
function fitsOneLine(parts: readonly Written[], { column, pad }: Layout): boolean {
  let end = column + 2 + 2 * pad.length + 1 - 2;
  for (const part of parts) {
    end += part.text.length + 2;
    if (part.broken || end > WIDTH) return false;
  }
  return true;
}

/** Numbers that do not fit one line fill as many as they need, not one each. */
function numbers(parts: readonly Written[], layout: Layout): Written {
  if (parts.length === 0 || fitsOneLine(parts, layout)) return container(parts, layout, false);
  const margin = ' '.repeat(layout.indent + 2);
  const lines: string[] = [];
  let line = margin;
  for (const { text } of parts) {
    if (line !== margin && line.length + text.length + 2 > WIDTH) {
      lines.push(line);
      line = margin;
    }
    line += line === margin ? `${text},` : ` ${text},`;
  }
  return { text: `[\n${[...lines, line].join('\n')}\n${' '.repeat(layout.indent)}]`, broken: true };
}

/** A list of records, or of rows: formatters give each a line of its own, however short. */
function isTable(items: readonly Json[]): boolean {
  if (items.length < 2) return false;
  const rows = items.every((item) => isJsonArray(item) && item.length > 1);
  return rows || items.every((item) => isJsonObject(item) && Object.keys(item).length > 1);
}

/** `__proto__: x` in a literal sets the prototype; only a computed key makes it a property. */
function propertyKey(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name);
}

function refused(what: string, path: readonly (string | number)[]): StepforkError {
  const where = formatRootedPath(path);
  return new StepforkError('not_a_literal', `${what} at ${where} cannot be written into a test: it is not JSON`, {
    details: { path: where },
  });
}
