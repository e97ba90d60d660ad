import { StepforkError } from '../errors.js';
import type { Json } from '../json.js';
import { markFloat, unmarkFloat } from './float-marks.js';
import { MAX_INTEGER_DIGITS, MAX_JSON_DEPTH } from './limits.js';
import { printsAsInteger } from './number-text.js';
import { type OpenObject, setKey } from './object.js';

/**
 * A JSON parser that sees each number's token. Only texts that hold a number which `JSON.parse` would change,
 * or a fault, come here.
 */
export function parseLossless(text: string, nonFinite: boolean): Json {
  return parseInArray(text, nonFinite)[0];
}

/** The value as the only item of an array, which can carry the mark of a float at the root. */
export function parseInArray(text: string, nonFinite: boolean): readonly [Json] {
  const holder: Json[] = [];
  const state: State = { text, at: 0, nonFinite };
  readEntry(state, holder, '0', 0);
  skipSpace(state);
  if (state.at < text.length) throw fault(state, 'unexpected text after the value');
  return holder as unknown as [Json];
}

interface State {
  readonly text: string;
  at: number;
  readonly nonFinite: boolean;
}

/** Reads one value into `container[key]`. */
function readEntry(state: State, container: Json[] | OpenObject, key: string, depth: number): void {
  skipSpace(state);
  const character = state.text[state.at];
  if (character === '{') put(container, key, readObject(state, depth));
  else if (character === '[') put(container, key, readArray(state, depth));
  else if (character === '"') put(container, key, readString(state));
  else if (!readWord(state, container, key)) readNumber(state, container, key);
}

function put(container: Json[] | OpenObject, key: string, value: Json): void {
  if (Array.isArray(container)) {
    container.push(value);
  } else {
    // A duplicate key: the last one wins, and so does its form.
    unmarkFloat(container, key);
    setKey(container, key, value);
  }
}

function readObject(state: State, depth: number): Json {
  checkDepth(state, depth);
  const object: OpenObject = {};
  state.at++;
  skipSpace(state);
  if (take(state, '}')) return object;
  do {
    skipSpace(state);
    if (state.text[state.at] !== '"') throw fault(state, 'expected a key in double quotes');
    const key = readString(state);
    skipSpace(state);
    if (!take(state, ':')) throw fault(state, "expected ':' after the key");
    readEntry(state, object, key, depth + 1);
    skipSpace(state);
  } while (take(state, ','));
  if (!take(state, '}')) throw fault(state, "expected ',' or '}'");
  return object;
}

function readArray(state: State, depth: number): Json {
  checkDepth(state, depth);
  const list: Json[] = [];
  state.at++;
  skipSpace(state);
  if (take(state, ']')) return list;
  do {
    readEntry(state, list, String(list.length), depth + 1);
    skipSpace(state);
  } while (take(state, ','));
  if (!take(state, ']')) throw fault(state, "expected ',' or ']'");
  return list;
}

function readString(state: State): string {
  const end = endOfString(state);
  const token = state.text.slice(state.at, end);
  try {
    const value = JSON.parse(token) as string;
    state.at = end;
    return value;
  } catch {
    throw fault(state, 'a string with a raw control character or a bad escape');
  }
}

/** Hops from quote to quote: a pattern over a string of megabytes would exhaust the engine's stack. */
function endOfString(state: State): number {
  let quote = state.at;
  for (;;) {
    quote = state.text.indexOf('"', quote + 1);
    if (quote === -1) throw fault(state, 'a string that does not end');
    let backslashes = 0;
    while (state.text[quote - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
}

const WORDS: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];
const NON_FINITE: readonly (readonly [string, Json])[] = [
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
];
/** What a number token begins with, and no word but `-Infinity`. */
const NUMERIC = /[-0-9]/;

function readWord(state: State, container: Json[] | OpenObject, key: string): boolean {
  const isNumeric = NUMERIC.test(state.text[state.at] ?? '');
  if (isNumeric && state.text[state.at + 1] !== 'I') return false;
  for (const [word, value] of state.nonFinite ? [...WORDS, ...NON_FINITE] : WORDS) {
    if (takeText(state, word)) {
      put(container, key, value);
      return true;
    }
  }
  return false;
}

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;

function readNumber(state: State, container: Json[] | OpenObject, key: string): void {
  NUMBER.lastIndex = state.at;
  const match = NUMBER.exec(state.text);
  if (match === null) throw fault(state, state.at < state.text.length ? 'unexpected character' : 'unexpected end');
  const token = match[0];
  const isFloat = match[1] !== undefined || match[2] !== undefined;
  const value = isFloat ? Number(token) : integer(state, token);
  put(container, key, value);
  if (isFloat && printsAsInteger(value as number)) markFloat(container, markKey(container, key));
  state.at += token.length;
}

function markKey(container: Json[] | OpenObject, key: string): string {
  return Array.isArray(container) ? String(container.length - 1) : key;
}

function integer(state: State, token: string): number | bigint {
  const value = Number(token);
  if (value === 0) return 0;
  if (String(value) === token) return value;
  if (token.length > MAX_INTEGER_DIGITS + 1) throw fault(state, `an integer of more than ${MAX_INTEGER_DIGITS} digits`);
  return BigInt(token);
}

function checkDepth(state: State, depth: number): void {
  if (depth >= MAX_JSON_DEPTH) throw fault(state, `nested deeper than ${MAX_JSON_DEPTH}`);
}

function take(state: State, character: string): boolean {
  if (state.text[state.at] !== character) return false;
  state.at++;
  return true;
}

function takeText(state: State, word: string): boolean {
  if (!state.text.startsWith(word, state.at)) return false;
  state.at += word.length;
  return true;
}

function skipSpace(state: State): void {
  for (;;) {
    const unit = state.text.charCodeAt(state.at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
    state.at++;
  }
}

function fault(state: State, what: string): StepforkError {
  const before = state.text.slice(0, state.at);
  const line = before.split('\n').length;
  const column = state.at - before.lastIndexOf('\n');
  return new StepforkError('invalid_json', `not JSON at line ${line}, column ${column}: ${what}`, {
    details: { line, column },
  });
}
