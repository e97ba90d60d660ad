import { MAX_INTEGER_DIGITS } from './limits.js';

/**
 * Tells JSON by its bytes, without making anything of it: several times faster than `JSON.parse`, and no work for
 * the garbage collector. Only for text as a writer puts it: no white space, nesting and numbers of a usual size.
 * What it does not take may still be JSON, and is to be parsed.
 */

const QUOTE = 0x22;
const COMMA = 0x2c;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Far less than what is read at all, whether it is counted from the payload's root or from the line's. */
const MAX_DEPTH = 500;

/** Bits of the containers around: whether each is an object. One scan at a time. */
const isObjectAt = new Uint8Array(MAX_DEPTH);

/**
 * Goes past a value.
 *
 * @returns where the next byte after it stands, or -1 for what is not certain to be JSON
 */
export function skipCompact(bytes: Uint8Array, from: number, to: number): number {
  let depth = 0;
  let at = from;
  for (;;) {
    const first = bytes[at] as number;
    if (first === OPEN_OBJECT || first === OPEN_LIST) {
      const isObject = first === OPEN_OBJECT;
      at++;
      if (bytes[at] === (isObject ? CLOSE_OBJECT : CLOSE_LIST)) {
        at++;
      } else {
        if (depth === MAX_DEPTH) return -1;
        isObjectAt[depth++] = isObject ? 1 : 0;
        if (isObject) {
          at = skipKey(bytes, at, to);
          if (at === -1) return -1;
        }
        continue;
      }
    } else {
      at = first === QUOTE ? skipString(bytes, at + 1, to, true) : skipPlain(bytes, at, to);
      if (at === -1) return -1;
    }
    // After a value: out of the containers that it ends, and on to the next.
    for (;;) {
      if (depth === 0) return at > to ? -1 : at;
      const isObject = isObjectAt[depth - 1] === 1;
      const next = bytes[at++] as number;
      if (next === COMMA) {
        if (isObject) {
          at = skipKey(bytes, at, to);
          if (at === -1) return -1;
        }
        break;
      }
      if (next !== (isObject ? CLOSE_OBJECT : CLOSE_LIST)) return -1;
      depth--;
    }
  }
}

/** Goes past a key and its colon. One spelled with `\u` is not taken: keys can be searched for as they are. */
export function skipKey(bytes: Uint8Array, at: number, to: number): number {
  if (bytes[at] !== QUOTE) return -1;
  const end = skipString(bytes, at + 1, to, false);
  return end !== -1 && bytes[end] === COLON ? end + 1 : -1;
}

/** 1 for what may stand in a string as it is; nothing beyond the end of the bytes does. */
const IS_ORDINARY = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);
/** 1 for what makes an escape together with the backslash before it, `u` aside. */
const IS_ESCAPE = new Uint8Array(256);
for (const character of '"\\/bfnrt') IS_ESCAPE[character.charCodeAt(0)] = 1;
const LETTER_U = 0x75;

/** From within a string to past its closing quote. */
function skipString(bytes: Uint8Array, from: number, to: number, takesUnicode: boolean): number {
  let at = from;
  while (at < to) {
    const byte = bytes[at++] as number;
    if (IS_ORDINARY[byte] === 1) continue;
    if (byte === QUOTE) return at;
    if (byte !== BACKSLASH) return -1;
    const letter = bytes[at] as number;
    if (IS_ESCAPE[letter] === 1) at++;
    else if (letter === LETTER_U && takesUnicode && isFourDigits(bytes, at + 1)) at += 5;
    else return -1;
  }
  return -1;
}

function isFourDigits(bytes: Uint8Array, from: number): boolean {
  for (let i = from; i < from + 4; i++) {
    if (!isHexDigit(bytes[i] as number)) return false;
  }
  return true;
}

function isHexDigit(byte: number): boolean {
  const upper = byte & ~0x20;
  return isDigit(byte) || (upper >= 0x41 && upper <= 0x46);
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

const TRUE = wordOf('true');
const FALSE = wordOf('false');
const NULL = wordOf('null');

function wordOf(word: string): Uint8Array {
  return Uint8Array.from(word, (character) => character.charCodeAt(0));
}

/** Goes past a number or a word. */
function skipPlain(bytes: Uint8Array, from: number, to: number): number {
  const first = bytes[from];
  if (first === TRUE[0]) return skipWord(bytes, from, TRUE);
  if (first === FALSE[0]) return skipWord(bytes, from, FALSE);
  if (first === NULL[0]) return skipWord(bytes, from, NULL);
  return skipNumber(bytes, from, to);
}

/** A loop, not a callback: this runs for every value of a bundle. */
function skipWord(bytes: Uint8Array, from: number, word: Uint8Array): number {
  for (let i = 0; i < word.length; i++) {
    if (bytes[from + i] !== word[i]) return -1;
  }
  return from + word.length;
}

function skipNumber(bytes: Uint8Array, from: number, to: number): number {
  let at = bytes[from] === MINUS ? from + 1 : from;
  if (bytes[at] === ZERO) at++;
  else at = skipDigits(bytes, at, to);
  if (at !== -1 && bytes[at] === DOT) at = skipDigits(bytes, at + 1, to);
  if (at !== -1 && ((bytes[at] as number) | 0x20) === 0x65) {
    const sign = bytes[at + 1];
    at = skipDigits(bytes, sign === MINUS || sign === PLUS ? at + 2 : at + 1, to);
  }
  return at - from > MAX_INTEGER_DIGITS ? -1 : at;
}

/** At least one. */
function skipDigits(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && isDigit(bytes[at] as number)) at++;
  return at === from ? -1 : at;
}
