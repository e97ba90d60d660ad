/** How a JSON text was written, where it was not as `JSON.stringify` does. */
export interface Layout {
  /** Of what stands on lines of its own: a number of spaces, or the tabs. */
  readonly indent?: number | string;
  /** A space after each comma and colon, on one line: as Python writes it. */
  readonly spaced?: true;
  /** Escapes for all that is not ASCII. */
  readonly ascii?: true;
  /** What came after it. */
  readonly end?: string;
}

/** The layout in which `value` is written as exactly this text; null where there is none. */
export function layoutOf(text: string, value: unknown): Layout | null {
  const trimmed = text.trimEnd();
  const end = text.slice(trimmed.length);
  const [, indent] = /^[[{]\n( {1,10}|\t{1,10})\S/.exec(trimmed) ?? [];
  const layout: Layout = {
    ...(indent === undefined ? {} : { indent: indent.startsWith(' ') ? indent.length : indent }),
    ...(isAscii(trimmed) && trimmed.includes('\\u') ? { ascii: true } : {}),
    ...(end === '' ? {} : { end }),
  };
  const { ascii: _ascii, ...raw } = layout;
  const candidates: readonly Layout[] = [
    layout,
    ...(indent === undefined ? [{ ...layout, spaced: true as const }] : []),
    // What is escaped in any layout, as a control character is.
    ...(layout.ascii ? [raw, ...(indent === undefined ? [{ ...raw, spaced: true as const }] : [])] : []),
  ];
  return candidates.find((candidate) => written(value, candidate) === text) ?? null;
}

/** The text of a JSON document. */
export function written(value: unknown, { indent, spaced, ascii, end = '' }: Layout): string {
  const text = spaced ? onOneLine(value) : JSON.stringify(value, null, indent);
  return (ascii ? escaped(text) : text) + end;
}

/** No line ends within a string of JSON. */
function onOneLine(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/,\n */g, ', ').replace(/\n */g, '');
}

const BEYOND_ASCII = /[\u007f-\uffff]/;

function isAscii(text: string): boolean {
  return !BEYOND_ASCII.test(text);
}

function escaped(text: string): string {
  return text.replace(
    new RegExp(BEYOND_ASCII, 'g'),
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
