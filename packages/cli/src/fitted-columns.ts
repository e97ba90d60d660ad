import type { Cell } from './text-table.js';

/** A column of a table that is to fit a terminal. */
export interface Column {
  readonly heading: string;
  readonly cells: readonly Cell[];
  /** Characters below which it is not cut while another column can give way; all that it needs unless given. */
  readonly fair?: number;
  /** Characters below which it is not cut at all. */
  readonly least?: number;
  /** Its place among those that are left out where there is no room, the first one first; it stays unless given. */
  readonly yields?: number;
}

interface Fitting extends Column {
  width: number;
}

/** The columns for which a terminal has room, their cells cut to it. */
export function fitted(columns: readonly Column[], width: number): readonly Column[] {
  let kept = columns.map((column): Fitting => ({ ...column, width: widthOf(column) }));
  const excess = (size: (column: Fitting) => number): number =>
    kept.reduce((sum, column) => sum + size(column) + 2, -2) - width;
  const leaveOut = (size: (column: Fitting) => number, last: number): void => {
    for (let yielding = 1; yielding <= last && excess(size) > 0; yielding++) {
      kept = kept.filter(({ yields }) => yields !== yielding);
    }
  };
  const most = Math.max(...columns.map(({ yields = 0 }) => yields));
  leaveOut(fairOf, most - 1);
  leaveOut(leastOf, most);
  // The last one gives way first: what it holds is the longest, and the least needed to tell rows apart.
  for (const size of [fairOf, leastOf]) {
    for (const column of [...kept].reverse()) {
      const over = excess((each) => each.width);
      if (over > 0) column.width = Math.max(size(column), column.width - over);
    }
  }
  return kept.map((column) => ({
    ...column,
    heading: column.heading.slice(0, column.width),
    cells: column.cells.map((cell) => ({ ...cell, text: cut(cell.text, column.width) })),
  }));
}

const widthOf = ({ heading, cells }: Column): number =>
  cells.reduce((widest, { text }) => Math.max(widest, text.length), heading.length);

const fairOf = ({ fair, width }: Fitting): number => Math.min(width, fair ?? width);
const leastOf = ({ least, width }: Fitting): number => Math.min(width, least ?? width);

/** Text that is escaped already. */
function cut(text: string, width: number): string {
  if (text.length <= width) return text;
  return `${text.slice(0, Math.max(0, width - 1)).replace(/[\ud800-\udbff]$/, '')}…`;
}
