import { displayText } from '@stepfork/trace-format/write';
import { configure } from 'safe-stable-stringify';

/** Integers that outgrow a JavaScript number keep their digits; keys keep their order. */
const stringify = configure({ bigint: true, deterministic: false });

/**
 * Legal in JSON text as they are, and yet not to be sent to a terminal: DEL and the C1 controls, line
 * separators, what reorders or hides text. As `\u` escapes they are the same document.
 */
const RAW =
  /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

/** A JSON document for stdout, indented, that cannot drive a terminal and parses to exactly `value`. */
export function jsonDocument(value: unknown): string {
  return escaped(stringify(value, null, 2) ?? 'null');
}

/** A JSON value on one line, the same way. */
export function jsonLine(value: unknown): string {
  return escaped(stringify(value) ?? 'null');
}

/** A line that goes to a pipe has no width, and is not to be a payload of megabytes either. */
const LONGEST = 20_000;

/** Text for a line: escaped, and cut with an ellipsis to `width` characters, or to very many where there is none. */
export function displayLine(text: string, limit: number | null): string {
  const width = limit ?? LONGEST;
  // Cut first with room to spare: escaping a payload of megabytes to show a line of it takes seconds.
  const shown = displayText(text.slice(0, width * 2));
  if (shown.length <= width) return shown;
  return `${shown.slice(0, Math.max(1, width - 1)).replace(/[\ud800-\udbff]$/, '')}…`;
}

function escaped(json: string): string {
  return json.replace(RAW, (characters) =>
    Array.from(
      { length: characters.length },
      (_, at) => `\\u${characters.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
