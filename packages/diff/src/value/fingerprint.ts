import { isJsonArray, type Json, type JsonObject } from '@stepfork/trace-format/write';

/** What lies deeper has no say. */
const DEEPEST = 100;
/** Texts up to this length count in full; of longer ones about as many characters, and their end. */
const SAMPLE = 64;
const END = 16;

const NULL = 0x2f1b;
const TRUE = 0x51ed;
const FALSE = 0x7a35;
const LIST = 0x1f83;
const OBJECT = 0x5be0;
const DEEP = 0x3c6e;

/**
 * A number that two values share when they are the same, and rarely otherwise: much cheaper than their canonical text,
 * which is made only for values that this does not tell apart.
 */
export function fingerprint(value: Json, depth = 0): number {
  if (typeof value === 'string') return textFingerprint(value);
  if (typeof value === 'number') return numberFingerprint(value);
  if (value === null) return NULL;
  if (typeof value === 'boolean') return value ? TRUE : FALSE;
  // A bigint may be the same as a number.
  if (typeof value === 'bigint') return numberFingerprint(Number(value));
  if (depth === DEEPEST) return DEEP;
  if (isJsonArray(value)) {
    let sum = LIST;
    for (let i = 0; i < value.length; i++) sum = mixed(sum, fingerprint(value[i] as Json, depth + 1));
    return sum;
  }
  // The order of keys means nothing, so their sum is taken.
  let sum = OBJECT;
  for (const key of Object.keys(value)) {
    sum = (sum + mixed(textFingerprint(key), fingerprint((value as JsonObject)[key] as Json, depth + 1))) | 0;
  }
  return sum;
}

export function textFingerprint(text: string): number {
  const { length } = text;
  const stride = length <= SAMPLE ? 1 : Math.ceil(length / SAMPLE);
  let sum = length;
  for (let at = 0; at < length; at += stride) sum = mixed(sum, text.charCodeAt(at));
  if (stride > 1) for (let at = length - END; at < length; at++) sum = mixed(sum, text.charCodeAt(at));
  return sum;
}

const float = new Float64Array(1);
const words = new Int32Array(float.buffer);

function numberFingerprint(value: number): number {
  if ((value | 0) === value) return mixed(1, value | 0);
  float[0] = value;
  return mixed(words[0] as number, words[1] as number);
}

/** Two numbers as one, in which each bit of both counts. */
export function mixed(one: number, other: number): number {
  const product = Math.imul(one ^ other, 0x9e3779b1) + one;
  return product ^ (product >>> 15);
}
