import { displayText } from '@stepfork/trace-format';

/** Lines shown around what changed. */
const CONTEXT = 3;
/** Pairs of lines that are compared; beyond that all that lies between the first and the last change counts as changed. */
const MOST_PAIRS = 4_000_000;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/**
 * What turns one text into another, as `diff -u` shows it without its file names: fit for a terminal, and empty for
 * equal texts.
 */
export function lineDiff(before: string, after: string): string {
  const lines = edits(before.split('\n'), after.split('\n'));
  const shown = lines.map((_, index) =>
    lines.slice(Math.max(index - CONTEXT, 0), index + CONTEXT + 1).some(({ sign }) => sign !== ' '),
  );
  return lines
    .flatMap(({ sign, text }, index) => {
      if (shown[index] !== true) return [];
      const gap = index > 0 && shown[index - 1] !== true ? ['  …'] : [];
      return [...gap, `${sign} ${displayText(text)}`.trimEnd()];
    })
    .join('\n');
}

function edits(before: readonly string[], after: readonly string[]): readonly Line[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [
    ...before.slice(0, start).map((text) => line(' ', text)),
    ...changed(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map((text) => line(' ', text)),
  ];
}

/** By the longest common subsequence. */
function changed(before: readonly string[], after: readonly string[]): readonly Line[] {
  const width = after.length + 1;
  if (before.length * after.length > MOST_PAIRS) {
    return [...before.map((text) => line('-', text)), ...after.map((text) => line('+', text))];
  }
  // The length of the longest common subsequence of what follows each pair of places.
  const common = new Uint32Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      common[at] =
        before[row] === after[column]
          ? (common[at + width + 1] ?? 0) + 1
          : Math.max(common[at + width] ?? 0, common[at + 1] ?? 0);
    }
  }
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const at = row * width + column;
    const [old, fresh] = [before[row], after[column]];
    if (old !== undefined && old === fresh) {
      lines.push(line(' ', old));
      row += 1;
      column += 1;
    } else if (old !== undefined && (fresh === undefined || (common[at + width] ?? 0) >= (common[at + 1] ?? 0))) {
      lines.push(line('-', old));
      row += 1;
    } else {
      lines.push(line('+', fresh ?? ''));
      column += 1;
    }
  }
  return lines;
}

function line(sign: Line['sign'], text: string): Line {
  return { sign, text };
}
