/** A text in which what an escape says stands by itself, and where that was written. */
export interface ReadableText {
  readonly text: string;
  /** Where something stands in the source, with all of an escape of which it has a part. */
  readonly inSource: (span: Span) => Span;
  /** The same from there. */
  readonly fromSource: (span: Span) => Span;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Without it, a text has none of the escapes. Its first two characters stand together in few texts. */
export const ESCAPE_HINT = '\\u0';

/** Visible characters of ASCII but the backslash, of which another escape may be a part. */
const ESCAPE = /(\\+)u00(2[0-9a-fA-F]|[346][0-9a-fA-F]|5[0-9abdefABDEF]|7[0-9a-eA-E])/g;
/** The same, cut off. */
const CUT_OFF = /\\(?:u(?:0(?:0[2-7]?)?)?)?$/;

/** A sign and its escape, as two spans that say the same. */
interface Pair {
  readonly one: Span;
  readonly other: Span;
}

/**
 * Some serializers write signs as numbers, in JSON that is to stand in HTML: `\u0022` for a quote, `\u0026` for `&`. No rule
 * looks for those, so that all are shown the signs. A quote keeps the backslashes that it would have at its depth, so that
 * JSON text is read as if it had been written with `\"`. Null for a text without such escapes: nearly all.
 */
export function readableText(source: string): ReadableText | null {
  if (!source.includes(ESCAPE_HINT)) return null;
  const pairs: Pair[] = [];
  let text = '';
  let end = 0;
  for (const { 0: whole, 1: run = '', 2: code = '', index } of source.matchAll(ESCAPE)) {
    const sign = String.fromCharCode(Number.parseInt(code, 16));
    // As many as the number of them can be halved belong to the escape: each level around it doubles them.
    const own = run.length & -run.length;
    const kept = run.length - own;
    text += source.slice(end, index + kept);
    end = index + whole.length;
    const from = text.length;
    text += sign === '"' ? `${'\\'.repeat(2 * own - 1)}"` : sign;
    pairs.push({ one: { from, to: text.length }, other: { from: index + kept, to: end } });
  }
  if (pairs.length === 0) return null;
  const mirrored = pairs.map(({ one, other }) => ({ one: other, other: one }));
  return {
    text: text + source.slice(end),
    inSource: (span) => spanIn(pairs, span),
    fromSource: (span) => spanIn(mirrored, span),
  };
}

function spanIn(pairs: readonly Pair[], { from, to }: Span): Span {
  return { from: placeOf(pairs, from, false), to: placeOf(pairs, to, true) };
}

function placeOf(pairs: readonly Pair[], at: number, isEnd: boolean): number {
  let [low, high] = [0, pairs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pairs[middle] as Pair).one.from < at) low = middle + 1;
    else high = middle;
  }
  const before = pairs[low - 1];
  if (before === undefined) return at;
  if (at >= before.one.to) return before.other.to + at - before.one.to;
  return isEnd ? before.other.to : before.other.from;
}

/** Where an escape begins that the end of the text cuts off; the text's length for none. */
export function cutEscape(text: string): number {
  const found = text.slice(-ESCAPE_LENGTH).search(CUT_OFF);
  return found < 0 ? text.length : Math.max(0, text.length - ESCAPE_LENGTH) + found;
}

const ESCAPE_LENGTH = 6;
