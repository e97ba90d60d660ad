/** What stands where a secret stood, in every bundle and every ruleset. */
export const REDACTED = '[REDACTED]';

/**
 * Widens a span so that it never cuts an earlier replacement in two, or answers null when the span is nothing but
 * (a part of) one. Without this a rule that matches the letters of the replacement itself would never come to rest.
 */
export function clearOfReplacements(text: string, from: number, to: number): readonly [number, number] | null {
  const left = replacementOver(text, from);
  if (left !== null && to <= left + REDACTED.length) return null;
  const right = replacementOver(text, to - 1);
  return [left ?? from, right === null ? to : right + REDACTED.length];
}

/** Where the replacement starts that covers the character at `index`, or null. */
function replacementOver(text: string, index: number): number | null {
  const start = Math.max(0, index - REDACTED.length + 1);
  const at = text.slice(start, index + REDACTED.length).indexOf(REDACTED);
  return at < 0 ? null : start + at;
}
