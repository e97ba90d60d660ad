import type { KeyRules } from '../keys/key-rule.js';
import { REDACTED } from '../replacement.js';
import { formOf } from './form-body.js';
import { NO_SPLICES, type Splice } from './splice.js';

/** A name and its value in a URL's query or fragment. */
const QUERY_PAIR = /(?<=[?&#])([^=&?#\s"'<>\\]{1,100})=([^&#\s"'<>\\]+)/g;
/** The same, also at the start of a string that is a form body as a whole. */
const FORM_PAIR = /(?<=^|[?&#])([^=&?#\s"'<>\\]{1,100})=([^&#\s"'<>\\]+)/g;

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
  for (const pair of text.matchAll(form === null ? QUERY_PAIR : FORM_PAIR)) {
    const [all, name = '', value = ''] = pair;
    if (value === REDACTED || keys.verdict(decoded(name)) === null) continue;
    const to = pair.index + all.length;
    const from = to - value.length;
    // Only as a whole is a text a form body, and only there is the first pair one.
    if (to === text.length || pair.index === 0) open(from);
    const secret = decoded(value);
    if ((pair.index === 0 && !isForm) || keys.spares(decoded(name), secret, () => false)) continue;
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
