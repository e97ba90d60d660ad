const NUMBER = /[0-9eE+.-]/;
const SPACE = /\s/;
/** Longer ones are no numbers that anyone writes. */
const LONGEST = 64;

/**
 * Where a number begins that ends a text and may be one of JSON: more of it may make it a secret, and then it goes as a whole.
 * The text's length for none.
 */
export function openNumber(text: string): number {
  const { length } = text;
  let start = length;
  while (start > 0 && length - start <= LONGEST && NUMBER.test(text[start - 1] as string)) start--;
  if (start === length || length - start > LONGEST) return length;
  let before = start;
  while (before > 0 && start - before < LONGEST && SPACE.test(text[before - 1] as string)) before--;
  return ':,['.includes(text[before - 1] ?? ' ') ? start : length;
}
