const SURROGATE = /[\ud800-\udfff]/;

/**
 * Orders strings by Unicode code point. JavaScript compares UTF-16 units, which puts astral characters
 * (surrogates, U+D800–DFFF) before U+E000–FFFF; here they come last.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** UTF-16 unit to a number that orders like the code point it belongs to. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit > 0xdfff ? unit - 0x800 : unit + 0x2000;
}

/** Sorts `keys` in place by code point, and returns them. */
export function sortKeys(keys: string[]): string[] {
  if (!isAscending(keys)) keys.sort();
  // The native order is right unless a surrogate takes part, and far faster than a comparator.
  return keys.some(hasSurrogate) ? keys.sort(compareCodePoints) : keys;
}

/** Whether keys ascend by UTF-16 unit, which is code-point order where no key has a surrogate. */
export function isAscending(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) {
    if ((keys[i - 1] as string) >= (keys[i] as string)) return false;
  }
  return true;
}

/** Whether half an astral character, or a whole one, is in the text. */
export function hasSurrogate(text: string): boolean {
  return SURROGATE.test(text);
}
