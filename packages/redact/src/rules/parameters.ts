import type { KeyVerdict } from '../keys/key-rule.js';
import { squash } from '../keys/squash.js';
import { defaultVerdict } from './default-keys.js';

/** Names that say what they are in a query; elsewhere they are names of methods, too. */
export const SECRET_PARAMETERS: readonly string[] = ['hmac', 'sas'];

/** Names of credentials in the queries of some services, and of anything else in those of others. */
export const JUDGED_PARAMETERS: readonly string[] = [
  'key',
  'sig',
  'signature',
  'auth',
  'appid',
  'code',
  'session',
  'sessionid',
  'sid',
];

const SECRET = new Set(SECRET_PARAMETERS);
const JUDGED = new Set(JUDGED_PARAMETERS);

/** What the default ruleset says of a parameter of a query or a form: more names than of a key, some by their value. */
export function defaultParameter(name: string): KeyVerdict {
  const verdict = defaultVerdict(name);
  if (verdict !== null) return verdict;
  const squashed = squash(name);
  if (SECRET.has(squashed)) return 'texts';
  return JUDGED.has(squashed) ? 'judged' : null;
}
