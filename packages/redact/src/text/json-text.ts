import type { Json } from '@stepfork/trace-format/write';
import type { KeyRules } from '../keys/key-rule.js';
import { REDACTED } from '../replacement.js';
import {
  afterSpace,
  endOfContent,
  endOfString,
  endOfValue,
  type KeyInText,
  keyBefore,
  unescapeJson,
} from './json-span.js';
import type { Splice } from './splice.js';

/**
 * Sees through JSON text, wherever it stands in a string: a tool call's arguments, a server-sent event, an answer
 * with a block of JSON in it, cut off or not. The values of secret keys are replaced where they stand, and nothing
 * else of the text changes, neither its layout nor its numbers.
 *
 * @param open is told where a value starts that more text may still change
 */
export function spliceJsonText(
  text: string,
  keys: KeyRules,
  taught: (secret: string) => void,
  open: (at: number) => void = () => {},
): readonly Splice[] {
  const edit = new TextEdit();
  let sparedTo = 0;
  let next = 0;
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', next)) {
    next = colon + 1;
    const found = keyBefore(text, colon);
    if (found === null || found.start < edit.end) continue;
    const { key, slashes } = found;
    const verdict = keys.verdict(key);
    if (verdict === null) continue;
    const from = afterSpace(text, next);
    if (verdict === 'texts' && from < sparedTo && !isStringAt(text, from, slashes)) continue;
    const value: TextValue = { text, from, to: endOfValue(text, from, slashes.length), slashes, edit, taught };
    if (mayGoOn(value)) open(from);
    if (verdict === 'whole') {
      redactWhole(value, keys);
    } else if (isSparedText(found, value, keys, open)) {
      // What is passed over is still looked into.
      sparedTo = value.to;
      continue;
    } else {
      redactTexts(value);
    }
    next = Math.max(next, value.to);
  }
  return edit.splices;
}

interface TextValue {
  readonly text: string;
  readonly from: number;
  /** Past the end of the value, or the end of the text where that was cut off. */
  readonly to: number;
  /** What stands before each quote of this level. */
  readonly slashes: string;
  readonly edit: TextEdit;
  readonly taught: (secret: string) => void;
}

function redactWhole(value: TextValue, keys: KeyRules): void {
  if (isStringAt(value.text, value.from, value.slashes)) {
    replaceString(value, value.from, value.to, true);
    return;
  }
  if (value.from === value.to) return;
  if (keys.teaches(parsedSpan(value))) {
    for (const [from, to] of stringsIn(value)) teach(value, contentOf(value, from, to));
  }
  value.edit.replace(value.from, value.to, `${value.slashes}"${REDACTED}${value.slashes}"`);
}

function redactTexts(value: TextValue): void {
  if (isStringAt(value.text, value.from, value.slashes)) replaceString(value, value.from, value.to, false);
  else for (const [from, to] of stringsIn(value)) replaceString(value, from, to, false);
}

/** Replaces what stands between the quotes, which may lack the closing one. */
function replaceString(value: TextValue, from: number, to: number, evenEmpty: boolean): void {
  const [start, end] = insideQuotes(value, from, to);
  const content = value.text.slice(start, end);
  if (content === REDACTED || (content === '' && !evenEmpty)) return;
  teach(value, content);
  value.edit.replace(start, end, REDACTED);
}

function contentOf(value: TextValue, from: number, to: number): string {
  return value.text.slice(...insideQuotes(value, from, to));
}

function insideQuotes({ text, slashes }: TextValue, from: number, to: number): readonly [number, number] {
  return [from + slashes.length + 1, endOfContent(text, from, to, slashes.length)];
}

function teach(value: TextValue, content: string): void {
  value.taught(unescapeJson(content, value.slashes.length));
}

function isStringAt(text: string, at: number, slashes: string): boolean {
  return text.startsWith(`${slashes}"`, at);
}

/** The strings inside an object or array that are no keys. */
function* stringsIn({ text, from, to, slashes }: TextValue): Generator<readonly [number, number]> {
  let at = text.indexOf(`${slashes}"`, from);
  while (at >= 0 && at < to) {
    const end = Math.min(endOfString(text, at, slashes.length), to);
    if (!/^(?:\s|\\[nrt]){0,64}:/.test(text.slice(end, end + 66))) yield [at, end];
    at = text.indexOf(`${slashes}"`, end);
  }
}

/** How far around a value its siblings are looked for. */
const NEAR = 200;

function isSparedText(
  { key, start }: KeyInText,
  value: TextValue,
  keys: KeyRules,
  open: (at: number) => void,
): boolean {
  const { text, from, to, slashes } = value;
  return keys.spares(key, parsedSpan(value), (name) => {
    const quoted = `${slashes}"${name}${slashes}"`;
    if (text.slice(Math.max(0, start - NEAR), start).includes(quoted)) return true;
    const follows = text.slice(to, to + NEAR).includes(quoted);
    if (!follows && to + NEAR > text.length) open(from);
    return follows;
  });
}

const LITERAL_BEGUN = /^(?:-|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/;

/** Whether the value reaches the end of the text, so that more of it may come. */
function mayGoOn({ text, from, to }: TextValue): boolean {
  return to >= text.length || (text.length - from < 5 && LITERAL_BEGUN.test(text.slice(from)));
}

/** The value as data; null where it was cut off or is none. */
function parsedSpan({ text, from, to, slashes }: TextValue): Json {
  const span = text.slice(from, to);
  try {
    return JSON.parse(slashes === '' ? span : unescapeJson(span, (slashes.length - 1) / 2)) as Json;
  } catch {
    return null;
  }
}

/** Replacements in one text, made from left to right. */
class TextEdit {
  readonly splices: Splice[] = [];
  /** Up to where the text was dealt with. */
  end = 0;

  replace(from: number, to: number, by: string): void {
    this.splices.push({ from, to, by });
    this.end = to;
  }
}
