import { escapeHazards } from './hazard.js';

/**
 * A JavaScript string literal that evaluates to exactly `text`. Single quotes, or double ones where that saves
 * escapes, as formatters write them.
 */
export function stringLiteral(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = escapeHazards(text.replaceAll('\\', '\\\\'));
  return `${quote}${escaped.replaceAll(quote, `\\${quote}`)}${quote}`;
}
