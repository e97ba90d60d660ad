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
  if (line.length <= columns) return line;
  const own = line.length - line.trimStart().length;
  const indent = ' '.repeat(Math.min(own + hang, columns / 2));
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > columns) {
    const space = rest.lastIndexOf(' ', columns);
    // A break far to the left would leave most of the line empty: a long word is broken instead.
    const at = space > columns / 2 ? space : wholeCharacters(rest, columns);
    pieces.push(rest.slice(0, at));
    rest = indent + rest.slice(at).replace(/^ /, '');
  }
  return [...pieces, rest].join('\n');
}

/** One less where the break would part the halves of a character. */
const wholeCharacters = (text: string, at: number): number =>
  /[\ud800-\udbff]/.test(text.charAt(at - 1)) ? at - 1 : at;
