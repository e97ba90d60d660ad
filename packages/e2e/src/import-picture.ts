import type { Floor } from './architecture-table.js';
import { type ImportGraph, withoutShortcuts } from './import-graph.js';

const BOX = { width: 166, height: 34, gap: 16 };
const ROW = 78;
const MARGIN = 24;

/** The packages on their floors, the highest on top, and an arrow for each import, as an SVG. */
export function drawImports(graph: ImportGraph, floors: readonly Floor[]): string {
  const rows = rowsOf(floors);
  const arrows = withoutShortcuts(graph);
  const columns = columnsOf(rows, arrows);
  const widest = Math.max(...columns.values());
  const width = widest + BOX.width / 2 + MARGIN;
  const height = (rows.length - 1) * ROW + BOX.height + 2 * MARGIN;
  const top = (name: string): number => MARGIN + rows.findIndex((row) => row.includes(name)) * ROW;
  const column = (name: string): number => columns.get(name) ?? 0;

  const lines = [...arrows].flatMap(([from, imports]) =>
    [...imports].map((to) => arrow(column(from), top(from) + BOX.height, column(to), top(to))),
  );
  const boxes = [...columns.keys()].map((name) => box(name, column(name), top(name)));
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    '<title>Which package imports which</title>',
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    '<g fill="none" stroke="#58a6ff" stroke-opacity="0.7">',
    ...lines,
    '</g>',
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" fill="#e6edf3" text-anchor="middle">`,
    ...boxes,
    '</g>',
    '</svg>',
  ].join('\n')}\n`;
}

/** The highest floor first. */
function rowsOf(floors: readonly Floor[]): readonly (readonly string[])[] {
  const numbers = [...new Set(floors.map(({ floor }) => floor))].sort((one, other) => other - one);
  return numbers.map((number) => floors.filter(({ floor }) => floor === number).flatMap(({ packages }) => packages));
}

/** The middle of each package: the widest row is spread, and every other package stands by its neighbours there. */
function columnsOf(rows: readonly (readonly string[])[], arrows: ImportGraph): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  const place = (row: readonly string[], neighbours: (name: string) => readonly string[]): void => {
    const wanted = row.map((name) => ({ name, at: mean(neighbours(name).flatMap((next) => columns.get(next) ?? [])) }));
    let free = MARGIN + BOX.width / 2;
    for (const { name, at } of wanted.sort((one, other) => one.at - other.at)) {
      const column = Math.max(free, Math.round(at));
      columns.set(name, column);
      free = column + BOX.width + BOX.gap;
    }
  };
  const widest = rows.reduce((most, row, index) => (row.length > (rows[most]?.length ?? 0) ? index : most), 0);
  const importers = (name: string): readonly string[] =>
    [...arrows].filter(([, imports]) => imports.has(name)).map(([importer]) => importer);
  place(rows[widest] ?? [], () => []);
  for (const row of rows.slice(0, widest).reverse()) place(row, (name) => [...(arrows.get(name) ?? [])]);
  for (const row of rows.slice(widest + 1)) place(row, importers);
  return columns;
}

const mean = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

const arrow = (x1: number, y1: number, x2: number, y2: number): string =>
  `<path d="M${x1} ${y1}C${x1} ${(y1 + y2) / 2} ${x2} ${(y1 + y2) / 2} ${x2} ${y2}M${x2 - 4} ${y2 - 7}L${x2} ${y2}L${x2 + 4} ${y2 - 7}"/>`;

const box = (name: string, x: number, y: number): string =>
  `<rect x="${x - BOX.width / 2}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="6" fill="#161b22" stroke="#30363d"/>` +
  `<text x="${x}" y="${y + 22}">${name.replace('@stepfork/', '')}</text>`;
