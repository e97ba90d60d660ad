/** Narrower than this nothing is folded: it would not become easier to read. */
const NARROWEST = 30;

/**
 * Text whose lines are no longer than a terminal is wide: broken at a space where there is one, and indented where they
 * go on. In a pipe (`columns` is null) it is left as it is.
 *
 * @param hang by how much more than its line what goes on is indented
 */
export function folded(text: string, columns: number | null, hang = 2): string {
  if (columns === null || columns < NARROWEST) return text;
  return text
    .split('\n')
    .map((line) => foldedLine(line, columns, hang))
    .join('\n');
}

function foldedLine(line: string, columns: number, hang: number): string {
  return line.length <= columns ? line : [...foldedParts([line], columns, hang)].join('');
}

/** One line that comes in parts, folded the same way: what is longer than a text can be has lines as well. */
export function* foldedParts(
  parts: Iterable<string>,
  columns: number | null,
  hang = 2,
): Generator<string, void, undefined> {
  if (columns === null || columns < NARROWEST) return yield* parts;
  let rest = '';
  /** What stands in front of the rest: nothing in the first line. */
  let indent = '';
  let next: string | null = null;
  for (const part of parts) {
    rest += part;
    next ??= ' '.repeat(Math.min(part.length - part.trimStart().length + hang, columns / 2));
    let from = 0;
    while (indent.length + rest.length - from > columns) {
      const line = indent + rest.slice(from, from + columns + 1 - indent.length);
      const space = line.lastIndexOf(' ', columns);
      // A break far to the left would leave most of the line empty: a long word is broken instead.
      const at = space > columns / 2 ? space : wholeCharacters(line, columns);
      yield `${line.slice(0, at)}\n`;
      from += at - indent.length + (line[at] === ' ' ? 1 : 0);
      indent = next;
    }
    rest = rest.slice(from);
  }
  yield indent + rest;
}

/** One less where the break would part the halves of a character. */
const wholeCharacters = (text: string, at: number): number =>
  /[\ud800-\udbff]/.test(text.charAt(at - 1)) ? at - 1 : at;
