import type { KeyRules } from '../keys/key-rule.js';
import { REDACTED } from '../replacement.js';

/** A name and its value in a URL's query or fragment. */
const QUERY_PAIR = /(?<=[?&#])([^=&?#\s"'<>\\]{1,100})=([^&#\s"'<>\\]+)/g;
/** The same, also at the start of a string that is a form body as a whole. */
const FORM_PAIR = /(?<=^|[?&#])([^=&?#\s"'<>\\]{1,100})=([^&#\s"'<>\\]+)/g;
const FORM_BODY = /^[^=&\s"'<>{}]{1,100}=[^&\s]*(?:&[^=&\s"'<>{}]{1,100}=[^&\s]*)*$/;

/** Sees through `name=value` pairs: URL queries and fragments anywhere, and strings that are a form body. */
export function redactPairs(text: string, keys: KeyRules, taught: (secret: string) => void): string {
  if (!text.includes('=')) return text;
  return text.replace(FORM_BODY.test(text) ? FORM_PAIR : QUERY_PAIR, (pair, name: string, value: string) => {
    if (value === REDACTED || keys.verdict(decoded(name)) === null) return pair;
    const secret = decoded(value);
    if (keys.spares(decoded(name), secret, () => false)) return pair;
    taught(secret);
    return `${name}=${REDACTED}`;
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
