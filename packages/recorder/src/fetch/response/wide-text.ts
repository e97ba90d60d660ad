/** A text of two bytes a unit. Read as one of UTF-8 it has a zero between its letters, and nobody sees a secret in it. */
export interface WideText {
  readonly charset: 'utf-16le' | 'utf-16be';
  readonly text: string;
}

/** Characters that no text has. */
const NO_TEXT = /[^\P{Cc}\t\n\r]/u;

/**
 * The text that bytes are in UTF-16; null for any other.
 *
 * @param isDeclared whether their head says so
 */
export function wideTextOf(bytes: Uint8Array, isDeclared: boolean): WideText | null {
  const charset = charsetOf(bytes) ?? (isDeclared ? 'utf-16le' : null);
  if (charset === null || bytes.length === 0) return null;
  try {
    const text = new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
    return NO_TEXT.test(text) ? null : { charset, text };
  } catch {
    return null;
  }
}

export function isWideText(value: unknown): value is WideText {
  if (typeof value !== 'object' || value === null) return false;
  const { charset, text } = value as Partial<WideText>;
  return typeof text === 'string' && (charset === 'utf-16le' || charset === 'utf-16be');
}

export function wideBytes({ charset, text }: WideText): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(text, 'utf16le');
  return Uint8Array.from(charset === 'utf-16be' ? bytes.swap16() : bytes);
}

/** By its byte order mark, or by where the zeros of its ASCII are. */
function charsetOf(bytes: Uint8Array): WideText['charset'] | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (!bytes.includes(0)) return null;
  const zeros = [0, 0];
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // One of the two, in a quarter of its units.
  if (Math.max(even, odd) * 8 < bytes.length) return null;
  return odd > even ? 'utf-16le' : 'utf-16be';
}
