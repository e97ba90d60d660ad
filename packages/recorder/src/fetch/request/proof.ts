import { REDACTED } from '@stepfork/redact';

/** Parameters by which a caller proves who it is: like the header that others use, no part of what was asked. */
const CREDENTIAL = /^(key|sig|signature|(api|access|auth)[-_]?(key|token)|token|x-amz-.*|x-goog-.*)$/i;

/** Of these, what is called so by a tool may as well be what is asked for: `?key=orders`. */
const GENERIC = /^(key|sig|signature|token)$/i;
/** A word, a number, or what is too short to prove anything. */
const PLAIN = /^(.{0,15}|[a-z]+([-_. ][a-z]+)*|\d+)$/i;

/** What stands where one stood is one as well: an agent that is given a URL of a recording asks for that. */
export function provesWhoAsks(name: string, value: string, kind: 'tool' | 'llm'): boolean {
  if (!CREDENTIAL.test(name)) return false;
  return kind === 'llm' || value.includes(REDACTED) || !GENERIC.test(name) || !PLAIN.test(value);
}

/** In a URL, wherever it stands: the query, and the fragment, which may have the same. */
const PAIR = /(?<=[?&#])([^=&?#\s"'<>]{1,100})=([^&#\s"'<>]*)/g;

/**
 * A text with what proves who asks left out of the URLs in it. They stay URLs, so that a client that follows one asks on
 * replay for what it asked for. The rule is that of a tool: a request to a model matches by less.
 */
export function withoutProofs(text: string): string {
  if (!text.includes('=')) return text;
  return text.replace(PAIR, (pair, name: string, value: string) => {
    const [[decodedName = '', decodedValue = ''] = []] = new URLSearchParams(pair);
    return value !== '' && provesWhoAsks(decodedName, decodedValue, 'tool') ? `${name}=${REDACTED}` : pair;
  });
}
