const LONGEST_NAME = 100;
const WHITE_SPACE = /\s/;
/** What no name of a form holds. */
const NOT_IN_NAME = /["'<>{}]/;

/**
 * Whether a text is a form body as a whole (`a=1&b=2`), or may be the beginning of one; null where it is neither. Part
 * by part: a pattern for all of it would keep count of every part of a long one, and run out of stack.
 */
export function formOf(text: string): 'whole' | 'begun' | null {
  const first = text.indexOf('=');
  if (first < 1 || first > LONGEST_NAME || WHITE_SPACE.test(text)) return null;
  for (let from = 0; from <= text.length; ) {
    const end = endOfPart(text, from);
    const sign = text.indexOf('=', from);
    const isPair = sign !== -1 && sign < end;
    const name = text.slice(from, isPair ? sign : Math.min(end, from + LONGEST_NAME + 1));
    if (name.length > LONGEST_NAME || NOT_IN_NAME.test(name)) return null;
    if (!isPair) return from > 0 && end === text.length ? 'begun' : null;
    if (name === '') return null;
    from = end + 1;
  }
  return 'whole';
}

function endOfPart(text: string, from: number): number {
  const end = text.indexOf('&', from);
  return end === -1 ? text.length : end;
}
