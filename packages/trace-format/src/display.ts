/**
 * What a terminal, a log viewer or a reviewer's eye must never be given raw: control characters, line and
 * paragraph separators, the bidirectional controls that reorder text, lone surrogates, and characters that show
 * nothing (the last three are blanks that Unicode counts as visible).
 */
const UNSAFE =
  /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Bidi_Control}|\p{Default_Ignorable_Code_Point}|\p{Surrogate}|[\u2800\u{16fe4}\u{1d159}]/u;

let emojiOrUnsafe: RegExp | null = null;

/**
 * Emoji that Unicode recommends are joined by characters that hide text anywhere else; these stay whole. Made when
 * the first such text comes: listing all emoji takes a third of the time in which the rest of a recorder loads.
 */
function emojiOrUnsafePattern(): RegExp {
  emojiOrUnsafe ??= new RegExp(`\\p{RGI_Emoji}|${UNSAFE.source}`, 'gv');
  return emojiOrUnsafe;
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text from a trace, fit for one line of a terminal or a message: unsafe characters become visible escapes
 * (`\n`, `\u001b`, `\u{e0041}`). Everything else stays.
 */
export function displayText(text: string): string {
  // The test by itself is many times faster, and nearly all text passes it.
  return UNSAFE.test(text) ? text.replace(emojiOrUnsafePattern(), shown) : text;
}

function shown(match: string): string {
  return isOneCharacter(match) && UNSAFE.test(match) ? (SHORT[match] ?? escapeCharacter(match)) : match;
}

/** An emoji of several characters is no single one. */
function isOneCharacter(match: string): boolean {
  return match.length === ((match.codePointAt(0) ?? 0) > 0xffff ? 2 : 1);
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
