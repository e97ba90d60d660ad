import { squash } from '../keys/squash.js';
import { REDACTED } from '../replacement.js';
import { V0_1_KEYS } from '../rules/v0-1.js';
import { MAX_SECRET, MIN_SECRET } from './forms.js';

const SCHEME = /^\s*(?:bearer|basic|token|apikey|negotiate)\s+/i;
const COOKIE_ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|priority)$/i;
const COOKIE_PAIR = /(?:^|;)\s*([^=;\s]+)=([^;]*)/g;

/** What a person writes where a secret belongs: the word for it. Looking for that would blank out every mention. */
const PLACEHOLDERS = new Set([...V0_1_KEYS, 'undefined']);

/**
 * The strings to look for, once a whole string is known to be secret: an `Authorization` value recurs without its
 * scheme, and a cookie without its attributes. A string that holds an earlier replacement teaches nothing: a replay
 * sees the replacement where the recording saw the secret, and both must learn the same.
 */
export function lessonsOf(secret: string): readonly string[] {
  const bare = secret.replace(SCHEME, '').trim();
  return [bare, ...cookieValues(bare)].filter(isLesson);
}

function isLesson(text: string): boolean {
  if (text.length < MIN_SECRET || text.length > MAX_SECRET) return false;
  return !text.includes(REDACTED) && !REDACTED.includes(text) && !PLACEHOLDERS.has(squash(text));
}

function cookieValues(text: string): readonly string[] {
  if (!/^[\w.$-]+=/.test(text)) return [];
  return [...text.matchAll(COOKIE_PAIR)]
    .filter(([, name = '']) => !COOKIE_ATTRIBUTE.test(name))
    .map(([, , value = '']) => value);
}
