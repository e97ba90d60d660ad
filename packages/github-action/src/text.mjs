/** What reorders, hides or drives what is beside it. */
const UNSAFE = /\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}/gu;

/**
 * Text from outside, on one line, of which all is seen.
 *
 * @param {string} text
 */
export function visible(text) {
  return text.replaceAll(UNSAFE, (character) =>
    character === '\n' ? '\\n' : `\\u{${character.codePointAt(0).toString(16)}}`,
  );
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * The same for a cell or a heading, inside an HTML block: no Markdown is read in one, until a line is empty.
 *
 * @param {string} text
 */
export const code = (text) => `<code>${escaped(text)}</code>`;

/**
 * Text of several lines. Such a block ends at `</pre>` and nowhere else.
 *
 * @param {string} text
 */
export const block = (text) => `<pre>${text.split('\n').map(escaped).join('\n')}</pre>`;

const escaped = (text) => visible(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]);

/**
 * @param {string} text
 * @param {number} most characters
 */
export const cut = (text, most) => (text.length <= most ? text : `${text.slice(0, most)}…`);
