/**
 * What a terminal, a log viewer or a reviewer's eye must never be given raw: control characters, line and
 * paragraph separators, the bidirectional controls that reorder text, and characters that show nothing.
 */
const UNSAFE =
  /[\p{Cc}\u2028\u2029\p{Bidi_Control}\u200b\u2060-\u2064\ufeff\ufff9-\ufffb]|\p{Surrogate}|[\u{e0000}-\u{e007f}]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text from a trace, fit for one line of a terminal or a message: unsafe characters become visible escapes
 * (`\n`, `\u001b`, `\u{e0041}`). Everything else stays.
 */
export function displayText(text: string): string {
  return text.replace(UNSAFE, (character) => SHORT[character] ?? escapeCharacter(character));
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
