import type { Json } from '@stepfork/trace-format/write';

/**
 * Whether two values are the same, which they are exactly when their canonical text is: `1` and `1.0` are, `0` and
 * `-0` are not, and the order of keys does not matter. Any depth.
 */
export function isSameValue(a: Json, b: Json): boolean {
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
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return false;
    pending.push(a[key] as Json, b[key] as Json);
  }
  return true;
}
