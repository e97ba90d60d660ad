/**
 * Character sets spelled out, because JavaScript's own `\b`, `\s` and case folding are not Python's: different
 * redaction means a different payload, hence a different hash.
 */

/** A letter, digit or underscore of any script. Patterns that use it need the flag `u`. */
export const WORD = String.raw`[\p{L}\p{N}_]`;

/** Python's `\b`: a word character on exactly one side. */
export const BOUNDARY = `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`;

/** Python's `\s`: with U+001C–1F and U+0085, without U+FEFF. */
export const SPACE = String.raw`[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;

/** What a bearer token is made of, and the four characters that Python folds into a–z when case does not matter. */
export const TOKEN = String.raw`[A-Za-z0-9._~+/=\u0130\u0131\u017f\u212a-]`;

/**
 * Where a credential with a telling prefix may begin: not in the middle of a word, but also right after an escape
 * (`\n` of JSON text inside a string, `%3D` of a URL), whose last letter is no part of the word.
 */
export const START = String.raw`(?:(?<!${WORD})|(?<=\\[bfnrt])|(?<=\\u[0-9a-fA-F]{4})|(?<=%[0-9a-fA-F]{2}))`;

/** The same for credentials that hold hyphens themselves: one start per run of such characters. */
export const HYPHEN_START = String.raw`(?:(?<![\p{L}\p{N}_-])|(?<=\\[bfnrt])|(?<=\\u[0-9a-fA-F]{4})|(?<=%[0-9a-fA-F]{2}))`;

/** Characters that Python takes for the same letter when case does not matter, beyond the two of ASCII. */
const FOLDED: Readonly<Record<string, string>> = { i: '\u0130\u0131', k: '\u212a', s: '\u017f' };

/** Matches a lower-case ASCII word whatever its case, as Python's IGNORECASE does. */
export function anyCase(word: string): string {
  return [...word]
    .map((letter) => (/[a-z]/.test(letter) ? `[${letter.toUpperCase()}${letter}${FOLDED[letter] ?? ''}]` : letter))
    .join('');
}
