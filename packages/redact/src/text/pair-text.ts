import type { KeyRules } from '../keys/key-rule.js';
import { looksSecret } from '../keys/secret-value.js';
import { REDACTED } from '../replacement.js';
import { formOf } from './form-body.js';
import { NO_SPLICES, type Splice } from './splice.js';

/** A name before its value in a URL's query or fragment. */
const QUERY_NAME = /(?<=[?&#])([^=&?#\s"'<>\\]{1,100})=/g;
/** The same, also at the start of a string that is a form body as a whole. */
const FORM_NAME = /(?<=^|[?&#])([^=&?#\s"'<>\\]{1,100})=/g;
/** What HTML and XML write after the `&` itself. */
const AMPERSAND = /^amp;/;
const VALUE_END = /[&#\s"'<>\\]/g;

interface Pair {
  readonly index: number;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The pairs of a text that have a value. Where that ends is looked for, and is no part of the pattern: of a value of many
 * megabytes the engine would keep every place, to come back to it, and run out of room for them.
 */
function* pairsOf(text: string, pattern: RegExp): Generator<Pair> {
  const [names, ends] = [new RegExp(pattern), new RegExp(VALUE_END)];
  for (let found = names.exec(text); found !== null; found = names.exec(text)) {
    const from = names.lastIndex;
    ends.lastIndex = from;
    const to = ends.exec(text)?.index ?? text.length;
    if (to === from) continue;
    yield { index: found.index, name: (found[1] ?? '').replace(AMPERSAND, ''), from, to };
    names.lastIndex = to;
  }
}

/**
 * Sees through `name=value` pairs: URL queries and fragments anywhere, and strings that are a form body.
 *
 * @param open is told where a value starts that more text may still change
 */
export function splicePairs(
  text: string,
  keys: KeyRules,
  taught: (secret: string) => void,
  open: (at: number) => void = () => {},
): readonly Splice[] {
  if (!text.includes('=')) return NO_SPLICES;
  let splices: Splice[] | null = null;
  const form = formOf(text);
  const isForm = form === 'whole';
  for (const { index, name, from, to } of pairsOf(text, form === null ? QUERY_NAME : FORM_NAME)) {
    const value = text.slice(from, to);
    const verdict = value === REDACTED ? null : keys.parameter(decoded(name));
    if (verdict === null) continue;
    // Only as a whole is a text a form body, and only there is the first pair one.
    if (to === text.length || index === 0) open(from);
    const secret = decoded(value);
    if ((index === 0 && !isForm) || keys.spares(decoded(name), secret, () => false)) continue;
    if (verdict === 'judged' && !looksSecret(secret)) continue;
    taught(secret);
    splices ??= [];
    splices.push({ from, to, by: REDACTED });
  }
  return splices ?? NO_SPLICES;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
