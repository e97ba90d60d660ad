import { type Column, fitted } from '../../fitted-columns.js';
import { displayLine } from '../../json-text.js';
import type { Terminal } from '../../terminal.js';
import { type Cell, textTable } from '../../text-table.js';
import { formatAge, formatSize } from '../../traces/units.js';
import type { ListedRun } from './run.js';

/** A name may be of any length; the columns after it should still be seen. */
const LONGEST_NAME = 30;
/** Narrower terminals have no room for messages. */
const WIDE = 100;

/** Lines of a table of runs; none for none. */
export function formatList(runs: readonly ListedRun[], now: number, terminal: Terminal): string[] {
  if (runs.length === 0) return [];
  const { columns } = terminal;
  const all = columnsOf(runs, now, terminal);
  const shown = columns === null ? all : fitted(all, columns);
  const head = shown.map(({ heading, cells }) => ({
    text: heading,
    paint: (text: string) => terminal.paint('dim', text),
    right: cells[0]?.right === true,
  }));
  return [...textTable([head, ...runs.map((_, at) => shown.flatMap(({ cells }) => cells[at] ?? []))])];
}

/** In the order in which they stand; `yields` says which a narrow terminal does without, the least first. */
function columnsOf(runs: readonly ListedRun[], now: number, terminal: Terminal): readonly Column[] {
  const { columns, paint } = terminal;
  const cells = (cell: (run: ListedRun) => Cell): readonly Cell[] => runs.map(cell);
  // What is being written counts its events at its end.
  const number = (text: string, { unfinished }: ListedRun): Cell => ({ text: unfinished ? '-' : text, right: true });
  const longestMarks = Math.max(...runs.map((run) => marksOf(run).length));
  const hasMessages = runs.some(({ failure }) => failure !== null && failure.message !== '');
  return [
    {
      heading: 'RUN',
      cells: cells((run) => ({ text: displayLine(run.short_id, null), paint: (text) => paint('yellow', text) })),
    },
    {
      heading: 'AGENT',
      cells: cells((run) => ({ text: displayLine(run.agent_name, columns === null ? null : LONGEST_NAME) })),
      fair: 16,
      least: 5,
      yields: 6,
    },
    { heading: 'STATUS', cells: cells((run) => statusOf(run, terminal)), fair: 16, least: 6 },
    { heading: 'CALLS', cells: cells((run) => number(String(run.calls.tool + run.calls.llm), run)), yields: 3 },
    { heading: 'STEPS', cells: cells((run) => number(String(run.events), run)), yields: 2 },
    { heading: 'AGE', cells: cells((run) => ({ text: formatAge(now - run.createdAt), right: true })), yields: 5 },
    { heading: 'SIZE', cells: cells((run) => ({ text: formatSize(run.size), right: true })), yields: 1 },
    // At whatever width it is seen that prune leaves a run alone, and that it is no folder.
    { heading: 'TAGS', cells: cells(tagsOf), fair: 24, least: longestMarks === 0 ? 10 : longestMarks + 1 },
    ...(hasMessages && (columns === null || columns >= WIDE)
      ? [{ heading: 'FAILURE', cells: cells((run) => messageOf(run, terminal)), fair: 16, least: 16, yields: 4 }]
      : []),
  ];
}

function statusOf({ status, unfinished, failure }: ListedRun, terminal: Terminal): Cell {
  if (unfinished) return { text: 'unfinished', paint: (text) => terminal.paint('yellow', text) };
  if (status !== 'failed') return { text: status };
  const type = failure === null ? '' : ` ${displayLine(failure.type, LONGEST_NAME)}`;
  return { text: `failed${type}`, paint: (text) => terminal.paint('red', text) };
}

const messageOf = ({ failure }: ListedRun, terminal: Terminal): Cell => ({
  text: displayLine(failure?.message ?? '', null),
  paint: (text) => terminal.paint('red', text),
});

const marksOf = ({ kept, packed }: ListedRun): string =>
  [...(kept ? ['(kept)'] : []), ...(packed ? ['(packed)'] : [])].join(' ');

/** What distinguishes a run beside its facts: that it is kept, that it is packed, its tags. */
function tagsOf(run: ListedRun): Cell {
  const tags = Object.entries(run.tags).map(([name, value]) => `${name}=${value}`);
  return { text: displayLine([marksOf(run), ...tags].filter((text) => text !== '').join(' '), null) };
}
