import type { Json } from '../json.js';
import { MAX_INTEGER_DIGITS, MAX_JSON_DEPTH } from './limits.js';
import { parseLossless } from './lossless-parser.js';

/** How `parseJson` reads. */
export interface ParseJsonOptions {
  /** Take the tokens `NaN`, `Infinity` and `-Infinity`, as Python's reader does. Default false. */
  readonly nonFinite?: boolean;
}

/**
 * Parses JSON text without losing what a JavaScript number cannot hold: an integer whose digits would change
 * becomes a bigint, and a whole float (`1.0`) becomes a plain number that is remembered as a float for hashing.
 *
 * @throws StepforkError `invalid_json`, with the line and column, for text that is not JSON, an integer of more
 * than 4,300 digits, and nesting deeper than 1,000.
 */
export function parseJson(text: string, options: ParseJsonOptions = {}): Json {
  if (hasNoLossyNumber(text)) {
    const value = parseNatively(text);
    if (value !== undefined && !isTooDeep(text, value)) return value;
  }
  // The engine's own messages differ between versions and name no line: ours come from here.
  return parseLossless(text, options.nonFinite === true);
}

/**
 * The same for whoever does not look at the numbers of what is read, several times faster: the same texts are taken,
 * `NaN` and infinities included, but numbers are what `JSON.parse` makes of them.
 *
 * @throws StepforkError as `parseJson`
 */
export function parseJsonShape(text: string): Json {
  if (!hasLongNumber(text)) {
    const value = parseNatively(text);
    if (value !== undefined && !isTooDeep(text, value)) return value;
  }
  return parseLossless(text, true);
}

/** Whether the text may hold an integer of more digits than are read. Looks at one character in some thousands. */
function hasLongNumber(text: string): boolean {
  for (let at = MAX_INTEGER_DIGITS; at < text.length; at += MAX_INTEGER_DIGITS) {
    if (isDigit(text, at) && digitsAround(text, at) > MAX_INTEGER_DIGITS) return true;
  }
  return false;
}

function digitsAround(text: string, at: number): number {
  let from = at;
  let to = at + 1;
  while (isDigit(text, from - 1)) from--;
  while (isDigit(text, to)) to++;
  return to - from;
}

function isDigit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0x30 && unit <= 0x39;
}

/**
 * Number tokens that a JavaScript number would change, or whose being a float it would forget: `-0`, sixteen digits
 * and more, `1.0`, a fraction so near a whole number that it may round to one, and an exponent, save those of small
 * fractions (`1.5e-07`), which Python prints often. May also strike inside a string, which then only costs time.
 */
const LOSSY_NUMBER = new RegExp(
  [
    '(?:^|[[:,])\\s*(?:-0(?![\\d.])|-?(?:',
    ['\\d{16}', '\\d{8}[\\d.]{9}', '\\d+\\.(?:0+(?!\\d)|0{8}|9{8})'].join('|'),
    '|[1-9](?:\\.\\d+)?[eE](?!-(?:0[2-9]|[1-9]\\d)(?!\\d))|(?:0|\\d\\d+)(?:\\.\\d+)?[eE]))',
  ].join(''),
);

function hasNoLossyNumber(text: string): boolean {
  return !LOSSY_NUMBER.test(text);
}

function parseNatively(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function isTooDeep(text: string, value: Json): boolean {
  // Counting brackets costs far less than walking the value, and settles nearly every text.
  return bracketsIn(text) > MAX_JSON_DEPTH && isDeeperThan(value, MAX_JSON_DEPTH);
}

/** How many containers the text may open, counted no further than needed. */
function bracketsIn(text: string): number {
  let count = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1 && count <= MAX_JSON_DEPTH; at = text.indexOf(bracket, at + 1)) {
      count++;
    }
  }
  return count;
}

function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const item of Object.values(value)) {
    if (typeof item === 'object' && isDeeperThan(item as Json, levels - 1)) return true;
  }
  return false;
}
