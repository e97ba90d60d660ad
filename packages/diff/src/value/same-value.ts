import type { Json } from '@stepfork/trace-format/write';

/** Recursion is the fastest way through values; what lies deeper than this is gone through without it. */
const MAX_RECURSION = 100;

/**
 * Whether two values are the same, which they are exactly when their canonical text is: `1` and `1.0` are, `0` and
 * `-0` are not, and the order of keys does not matter. Any depth.
 */
export function isSameValue(a: Json, b: Json): boolean {
  return isSameWithin(a, b, MAX_RECURSION);
}

function isSameWithin(a: Json, b: Json, room: number): boolean {
  if (Object.is(a, b)) return true;
  if (!isContainer(a) || !isContainer(b)) return isSameScalar(a, b);
  if (room === 0) return isSameAtAnyDepth(a, b);
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!isSameWithin(a[i] as Json, b[i] as Json, room - 1)) return false;
    return true;
  }
  const keys = sharedKeys(a as Entries, b as Entries);
  if (keys === null) return false;
  for (const key of keys) {
    if (!isSameWithin((a as Entries)[key] as Json, (b as Entries)[key] as Json, room - 1)) return false;
  }
  return true;
}

function isSameAtAnyDepth(a: Json, b: Json): boolean {
  const pending: Json[] = [a, b];
  while (pending.length > 0) {
    const right = pending.pop() as Json;
    const left = pending.pop() as Json;
    if (Object.is(left, right)) continue;
    if (!isContainer(left) || !isContainer(right)) {
      if (!isSameScalar(left, right)) return false;
    } else if (!openContainers(left, right, pending)) {
      return false;
    }
  }
  return true;
}

/** Whether two values are one scalar. A bigint is the number that has its digits. */
export function isSameScalar(a: Json, b: Json): boolean {
  if (typeof a === 'bigint' && typeof b === 'number') return hasDigitsOf(b, a);
  if (typeof a === 'number' && typeof b === 'bigint') return hasDigitsOf(a, b);
  return Object.is(a, b);
}

/** From 1e21 on, canonical JSON writes a number as a float. */
function hasDigitsOf(number: number, integer: bigint): boolean {
  return Number.isInteger(number) && Math.abs(number) < 1e21 && !Object.is(number, -0) && BigInt(number) === integer;
}

export function isContainer(value: Json): value is Json & object {
  return typeof value === 'object' && value !== null;
}

type Entries = { readonly [key: string | number]: Json };

/** The keys of both objects, or null where one has a key that the other has not. */
function sharedKeys(a: Entries, b: Entries): readonly string[] | null {
  const keys = Object.keys(a);
  const others = Object.keys(b);
  if (keys.length !== others.length) return null;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    // What made both wrote the keys in one order, as a rule.
    if (key !== others[i] && !Object.hasOwn(b, key)) return null;
  }
  return keys;
}

/** Puts the pairs of entries on the list; false when the containers differ already in shape. */
function openContainers(left: Json & object, right: Json & object, pending: Json[]): boolean {
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const a = left as Entries;
  const b = right as Entries;
  if (Array.isArray(left)) {
    const length = left.length;
    if (length !== (right as readonly Json[]).length) return false;
    for (let i = 0; i < length; i++) pending.push(a[i] as Json, b[i] as Json);
    return true;
  }
  const keys = sharedKeys(a, b);
  if (keys === null) return false;
  for (const key of keys) pending.push(a[key] as Json, b[key] as Json);
  return true;
}
