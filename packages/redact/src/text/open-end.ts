/** A quoted value ends with one of these, a value without quotes with one of those. */
const QUOTED_END = /["'\\\r\n]/;
const BARE_END = /[\s"'`\\<>]/;
/** Escapes of escapes; more of them in a row are text. */
const MOST_ESCAPES = 7;

/**
 * Tells which values of a text reach its end, so that more text may still change them. Asked of each assignment in a
 * long text, it must not look at all that follows each time.
 */
export class OpenEnd {
  readonly #text: string;
  /** Where the last character stands that would end a quoted value; -1 for none. */
  readonly #lastQuotedEnd: number;
  /** From here on there is none that would end a value without quotes. */
  readonly #bareTail: number;

  constructor(text: string) {
    this.#text = text;
    this.#lastQuotedEnd = lastOf(text, text.length, QUOTED_END);
    let escapes = 0;
    while (escapes < MOST_ESCAPES && text[text.length - 1 - escapes] === '\\') escapes++;
    this.#bareTail = lastOf(text, text.length - escapes, BARE_END) + 1;
  }

  /** Whether a value that starts there reaches the end. */
  isReachedFrom(at: number): boolean {
    if (at >= this.#bareTail) return true;
    let quote = at;
    while (quote - at < MOST_ESCAPES && this.#text[quote] === '\\') quote++;
    const mark = this.#text[quote];
    return (mark === '"' || mark === "'") && quote === this.#lastQuotedEnd;
  }
}

function lastOf(text: string, end: number, wanted: RegExp): number {
  let at = end - 1;
  while (at >= 0 && !wanted.test(text[at] as string)) at--;
  return at;
}
