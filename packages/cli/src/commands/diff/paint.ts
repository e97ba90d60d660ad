import { folded } from '../../fold.js';
import type { Style, Terminal } from '../../terminal.js';

/** How a line of a diff begins, and what it tells by colour. */
const STYLES: readonly (readonly [RegExp, Style])[] = [
  [/^added /, 'green'],
  [/^removed /, 'red'],
  [/^changed /, 'yellow'],
  [/^moved /, 'cyan'],
];

/** A diff's text in colour, and no line longer than the terminal is wide. */
export function paintDiff(text: string, terminal: Terminal): string {
  return text
    .split('\n')
    .map((line) => {
      const style = STYLES.find(([start]) => start.test(line))?.[1];
      const shown = folded(line, terminal.columns);
      return style === undefined ? shown : terminal.paint(style, shown);
    })
    .join('\n');
}
