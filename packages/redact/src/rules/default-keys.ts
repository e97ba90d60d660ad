import { isJsonArray, isJsonObject, type Json } from '@stepfork/trace-format/write';
import type { KeyVerdict } from '../keys/key-rule.js';
import { SECRET_ENDINGS, SECRET_NAMES } from '../keys/secret-names.js';
import { squash, wordsOf } from '../keys/squash.js';
import { V0_1_KEYS } from './v0-1.js';

const WHOLE = new Set(V0_1_KEYS);

const SECRET_ENDING = new RegExp(`(?:${SECRET_ENDINGS.join('|')})$`);
const SECRET_NAME = new Set(SECRET_NAMES);

/**
 * What stands before `token` where it is no credential: counts and limits, the special tokens of a model's
 * vocabulary, page cursors, and handles of protocols.
 */
const PLAIN_TOKEN = new Set(
  (
    'max min num per first last avg mean total prompt completion input output cached reasoning ' +
    'bos eos pad unk mask sep cls stop start end begin special ' +
    'page next prev previous continuation cursor sync skip resume ' +
    'progress cancel cancellation'
  ).split(' '),
);

/** Values of the fetch option `credentials`. */
const FETCH_CREDENTIALS = new Set(['include', 'omit', 'same-origin']);

const SCHEMA_TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** What a JSON Schema says of a value without giving one: `default`, `const` and `examples` are not among it. */
const SCHEMA_WORDS = new Set(
  (
    'type title description format enum properties required items additionalProperties anyOf oneOf allOf $ref ' +
    'minLength maxLength pattern minimum maximum minItems maxItems nullable'
  ).split(' '),
);

/** The verdict of the default ruleset: the twelve names of 0.1 exactly as there, and more names for texts. */
export function defaultVerdict(key: string): KeyVerdict {
  const squashed = squash(key);
  if (WHOLE.has(squashed)) return 'whole';
  const isSecret = SECRET_NAME.has(squashed) || SECRET_ENDING.test(squashed);
  return isSecret && !isPlainToken(key) ? 'texts' : null;
}

function isPlainToken(key: string): boolean {
  const words = wordsOf(key);
  return words.at(-1) === 'token' && PLAIN_TOKEN.has(words.at(-2) ?? '');
}

/** Values that no credential looks like, under keys that 0.1 does not know. */
export function isSpared(key: string, value: Json, hasSibling: (name: string) => boolean): boolean {
  const squashed = squash(key);
  if (squashed === 'token' && hasSibling('logprob')) return true;
  if (squashed === 'credentials' && typeof value === 'string') return FETCH_CREDENTIALS.has(value);
  return isSchemaNode(value);
}

/** Whether a value is a JSON Schema: a tool's parameter called `token` is described by one in every request. */
export function isSchemaNode(value: Json): boolean {
  if (!isJsonObject(value) || !Object.keys(value).every((key) => SCHEMA_WORDS.has(key))) return false;
  const { type } = value;
  if (typeof type === 'string') return SCHEMA_TYPES.has(type);
  if (isJsonArray(type)) return type.every((name) => typeof name === 'string' && SCHEMA_TYPES.has(name));
  return ['$ref', 'anyOf', 'oneOf', 'allOf', 'enum'].some((word) => Object.hasOwn(value, word));
}
