/**
 * Spans of JSON text at a known depth of escaping. A quote of the level itself has `slashes` backslashes before it
 * (0, 1, 3, 7, …), and so many after those that end the content; these double with each level. So the ones at the end of
 * the number of all of them, written in twos, say at which level a quote stands: 0, 1, 11, 111, …
 */
export function slashesOf(backslashes: number): number {
  return ((backslashes + 1) & -(backslashes + 1)) - 1;
}

/** What stands before a quote, of the text from `start` on. */
function backslashesBefore(text: string, quote: number, start: number): number {
  let before = 0;
  while (quote - before - 1 >= start && text.charCodeAt(quote - before - 1) === 0x5c) before++;
  return before;
}

/** A key of JSON text. */
export interface KeyInText {
  readonly key: string;
  /** Where its opening quote stands. */
  readonly start: number;
  /**
   * What stands before each quote of its level. JSON text inside JSON text has its quotes escaped, so the number of
   * backslashes says how deep it is.
   */
  readonly slashes: string;
}

const MAX_KEY = 100;

/** The key that ends before a colon, or null where there is none. */
export function keyBefore(text: string, colon: number): KeyInText | null {
  let close = colon - 1;
  while (close > colon - MAX_KEY && isSpace(text.charCodeAt(close))) close--;
  if (text[close] !== '"') return null;
  const slashes = backslashesBefore(text, close, 0);
  const start = text.lastIndexOf('"', close - slashes - 1);
  const length = close - slashes - start - 1;
  if (close === 0 || start < 0 || length < 1 || length > MAX_KEY || backslashesBefore(text, start, 0) !== slashes)
    return null;
  const key = text.slice(start + 1, close - slashes);
  return key.includes('\\') ? null : { key, start, slashes: '\\'.repeat(slashes) };
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
}

const SPACE = /(?:\s|\\+[nrt])*/y;

/** Past white space, which may be escaped. */
export function afterSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.exec(text);
  return SPACE.lastIndex;
}

/**
 * Past the closing quote of the string that opens at `from`, or the end of what there is of it where it was cut off: that
 * of the text, or of the string in which it stands.
 */
export function endOfString(text: string, from: number, slashes: number): number {
  const start = from + slashes + 1;
  for (let quote = text.indexOf('"', start); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    const own = slashesOf(backslashesBefore(text, quote, start));
    if (own === slashes) return quote + 1;
    if (own < slashes) return quote - own;
  }
  return text.length;
}

/** Up to the closing quote of a string that ends at `to`, where it has one. */
export function endOfContent(text: string, from: number, to: number, slashes: number): number {
  const start = from + slashes + 1;
  if (to <= start || text[to - 1] !== '"') return to;
  return slashesOf(backslashesBefore(text, to - 1, start)) === slashes ? to - 1 - slashes : to;
}

/** Past the end of the JSON value that starts at `from`. */
export function endOfValue(text: string, from: number, slashes: number): number {
  if (text.startsWith(`${'\\'.repeat(slashes)}"`, from)) return endOfString(text, from, slashes);
  const opening = text[from];
  if (opening === '{' || opening === '[') return endOfContainer(text, from, slashes);
  LITERAL.lastIndex = from;
  LITERAL.exec(text);
  return LITERAL.lastIndex;
}

const LITERAL = /(?:true|false|null|-?\d[\d.eE+-]*)?/y;
const BRACKET_OR_QUOTE = /["{}[\]]/g;

function endOfContainer(text: string, from: number, slashes: number): number {
  let open = 0;
  let at = from;
  for (;;) {
    BRACKET_OR_QUOTE.lastIndex = at;
    const found = BRACKET_OR_QUOTE.exec(text);
    if (found === null) return text.length;
    const mark = found[0];
    at = found.index + 1;
    if (mark === '"') {
      const own = slashesOf(backslashesBefore(text, found.index, from));
      // The string ends in which it stands.
      if (own < slashes) return found.index - own;
      at = endOfString(text, found.index - slashes, slashes);
    } else if (mark === '{' || mark === '[') open++;
    else if (--open === 0) return at;
  }
}

/** Undoes the escaping of a string's content: once for the level itself, and once for each level around it. */
export function unescapeJson(content: string, slashes: number): string {
  let text = content;
  try {
    for (let width = slashes + 1; width >= 1; width /= 2) text = JSON.parse(`"${text}"`) as string;
    return text;
  } catch {
    return content;
  }
}
