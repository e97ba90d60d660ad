import { canonicalJson, displayText, type Json } from '@stepfork/trace-format';

/** The share of the room that is kept for what stands before the place at which two values part. */
const LEAD = 0.3;

/** Both values as canonical text on one line each, cut around the first place at which they part. */
export function previewPair(one: Json, other: Json, longest: number): readonly [string, string] {
  const texts = [canonicalJson(one), canonicalJson(other)] as const;
  if (Math.max(...texts.map(({ length }) => length)) <= longest) return mapped(texts, displayText);
  // Of two texts a part is a text, too, with its quotes.
  if (typeof one === 'string' && typeof other === 'string') {
    return mapped(partsOf([one, other], longest), ({ text, before, after }) =>
      displayText(`${before}${JSON.stringify(text)}${after}`),
    );
  }
  return mapped(partsOf(texts, longest), ({ text, before, after }) => displayText(`${before}${text}${after}`));
}

interface Part {
  readonly text: string;
  /** `…` where something was cut off, else nothing. */
  readonly before: string;
  readonly after: string;
}

/** The same part of both: where they part, with something before it. */
function partsOf(texts: readonly [string, string], longest: number): readonly [Part, Part] {
  const lead = Math.floor(longest * LEAD);
  const end = Math.max(...texts.map(({ length }) => length));
  const from = Math.max(0, Math.min(partingOf(...texts) - lead, end - longest));
  return mapped(texts, (text) => ({
    text: cut(text, from, from + longest),
    before: from > 0 ? '…' : '',
    after: text.length > from + longest ? '…' : '',
  }));
}

function partingOf(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/** A part of a text that does not begin or end inside a character. */
function cut(text: string, from: number, to: number): string {
  const splits = (at: number): boolean =>
    /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(at - 1, 0), at + 1));
  return text.slice(from > 0 && splits(from) ? from + 1 : from, splits(to) ? to - 1 : to);
}

function mapped<T, R>([one, other]: readonly [T, T], change: (item: T) => R): readonly [R, R] {
  return [change(one), change(other)];
}
