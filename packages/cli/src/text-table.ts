/** One cell: its text fit for a terminal, and how it is painted once its width is made. */
export interface Cell {
  readonly text: string;
  readonly paint?: ((text: string) => string) | undefined;
  /** Numbers end below one another. */
  readonly right?: boolean;
}

/** Lines of cells in columns, two spaces between them and none at a line's end. */
export function textTable(rows: readonly (readonly Cell[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, { text }] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, text.length);
  }
  return rows.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function padded({ text, paint, right }: Cell, width: number): string {
  const space = ' '.repeat(width - text.length);
  const shown = paint === undefined || text === '' ? text : paint(text);
  return right ? `${space}${shown}` : `${shown}${space}`;
}
