import { displayText, isJsonArray, type Json } from '@stepfork/trace-format/write';
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
export const LONGEST = 20_000;

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

/** What is no larger is made at once. */
const SMALL = 256 * 1024;

/** A value on one line, in parts: one that repeats a long text is more than one text can hold. */
export function jsonLineParts(value: Json): Generator<string, void, undefined> {
  return jsonParts(value, null);
}

/** A document in parts, `margin` in front of each of its lines but the first. */
export function jsonDocumentParts(value: Json, margin = ''): Generator<string, void, undefined> {
  return jsonParts(value, margin);
}

/** @param margin null for a value on one line */
function* jsonParts(value: Json, margin: string | null): Generator<string, void, undefined> {
  if (typeof value !== 'object' || value === null || roomAfter(value, SMALL) > 0) {
    return yield margin === null ? jsonLine(value) : jsonDocument(value).replaceAll('\n', `\n${margin}`);
  }
  const inner = margin === null ? null : `${margin}  `;
  const [line, end] = margin === null ? ['', ''] : [`\n${inner}`, `\n${margin}`];
  const colon = margin === null ? ':' : ': ';
  const isList = isJsonArray(value);
  let before = isList ? '[' : '{';
  for (const [name, item] of isList ? value.entries() : Object.entries(value)) {
    yield `${before}${line}${isList ? '' : `${jsonLine(name)}${colon}`}`;
    yield* jsonParts(item, inner);
    before = ',';
  }
  yield `${end}${isList ? ']' : '}'}`;
}

/** What a value leaves of so many characters: nothing or less where it does not fit. Looks no further than that. */
function roomAfter(value: Json, room: number): number {
  if (typeof value === 'string') return room - value.length;
  if (typeof value !== 'object' || value === null) return room - 8;
  let left = room - 2;
  if (isJsonArray(value)) {
    for (let index = 0; index < value.length && left > 0; index++) left = roomAfter(value[index] as Json, left - 1);
    return left;
  }
  for (const name in value) {
    if (left <= 0) break;
    left = roomAfter(value[name] as Json, left - name.length - 4);
  }
  return left;
}
