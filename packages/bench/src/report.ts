import { aimLines } from './aims.js';
import type { Table } from './bench.js';

/** What one run of the benches found. */
export interface Report {
  readonly node: string;
  readonly benches: readonly { readonly name: string; readonly question: string; readonly tables: readonly Table[] }[];
}

/** As the README of this package. */
export function toMarkdown({ node, benches }: Report): string {
  return [
    '# Speed and weight',
    '',
    'Written by `npm run bench`, from the root of the repository. Read the ratios: each is the median of ratios taken side',
    'by side, round after round, in one run, and the times beside them are those of whatever machine it ran on.',
    '',
    `Node ${node}.`,
    ...benches.flatMap(({ name, question, tables }) => [
      '',
      `## ${name}`,
      '',
      question,
      ...tables.flatMap((table) => ['', ...tableLines(table)]),
    ]),
    '',
  ].join('\n');
}

function tableLines(table: Table): readonly string[] {
  const { title, unit, reference, method, rows } = table;
  return [
    `**${title}.** ${method}`,
    '',
    `| | ${unit} | × ${reference} | |`,
    '|---|--:|--:|---|',
    ...rows.map(
      (row) =>
        `| ${row.name} | ${figure(row.value)} | ${row.ratio === null ? '1' : figure(row.ratio)} | ${row.note ?? ''} |`,
    ),
    ...aimLines(table).flatMap((line) => ['', line]),
  ];
}

/** Three digits that mean something. */
function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
