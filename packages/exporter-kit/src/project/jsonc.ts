/** Strings first, so that what looks like a comment inside one stays. */
const STRING_OR_COMMENT = /"(?:[^"\\]|\\.)*"|\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g;
const STRING_OR_TRAILING_COMMA = /"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g;

/** The object of JSON text that may have comments and trailing commas, as tsconfig.json has; null for anything else. */
export function parseJsonc(text: string): Readonly<Record<string, unknown>> | null {
  const keepStrings = (match: string) => (match.startsWith('"') ? match : '');
  const plain = text
    .replace(/^\ufeff/, '')
    .replace(STRING_OR_COMMENT, keepStrings)
    .replace(STRING_OR_TRAILING_COMMA, keepStrings);
  try {
    return asRecord(JSON.parse(plain));
  } catch {
    return null;
  }
}

/** `value` when it is an object with keys, else null. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
