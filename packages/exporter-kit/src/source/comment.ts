import { escapeHazards } from './hazard.js';

/** Characters of a name or path that a comment shows before it is cut. */
const LIMIT = 200;

/**
 * Text from outside, fit for one line of a comment: white space collapsed, hazards and the end of a block comment
 * escaped, cut at 200 characters. It must not be the first thing in its comment, where compilers and linters look
 * for their pragmas.
 */
export function commentText(text: string): string {
  return lineCommentText(text).replaceAll('*/', '*\\u002f');
}

/** The same for a comment that the line ends, where the end of a block comment is text like any other. */
export function lineCommentText(text: string): string {
  const characters = Array.from(
    text
      .slice(0, 8 * LIMIT)
      .replace(/\s+/g, ' ')
      .trim(),
  );
  const cut = characters.length > LIMIT ? `${characters.slice(0, LIMIT).join('')}…` : characters.join('');
  return escapeHazards(cut);
}
