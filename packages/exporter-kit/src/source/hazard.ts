/**
 * What data must not bring into a source file as it stands, be it in a comment or in a string:
 * - characters that show nothing, reorder text or end a line (Cc, Cf, Zl, Zp, spaces other than U+0020, lone
 *   surrogates): a reviewer would read something else than the parser;
 * - `</` and `<!`, for pages that show the source;
 * - `@word-word`: vitest reads `@vitest-environment` and `@module-tag` anywhere in a test file, strings included, and
 *   loads the package that the first one names;
 * - `sourceMappingURL=`: source-map readers search the raw text for it and open the file.
 */
const HAZARD = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?! )\p{Zs}|<(?=[/!])|@(?=[A-Za-z]+-)|s(?=ource(?:Mapping)?URL\s*=)/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Each hazard as a JavaScript escape: inert in a comment, and in a string literal still the same character. */
export function escapeHazards(text: string): string {
  return text.replace(HAZARD, (character) => SHORT[character] ?? unicodeEscape(character));
}

function unicodeEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
