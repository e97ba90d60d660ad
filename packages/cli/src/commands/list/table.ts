import { displayLine } from '../../json-text.js';
import type { Terminal } from '../../terminal.js';
import { type Cell, textTable } from '../../text-table.js';
import { formatAge, formatSize } from '../../traces/units.js';
import type { ListedRun } from './run.js';

const HEADINGS = ['RUN', 'AGENT', 'STATUS', 'CALLS', 'STEPS', 'AGE', 'SIZE', 'TAGS'];
/** Columns of numbers. */
const RIGHT = new Set(['CALLS', 'STEPS', 'AGE', 'SIZE']);
/** A name may be of any length; the columns after it should still be seen. */
const LONGEST_NAME = 30;

/** Lines of a table of runs; none for none. */
export function formatList(runs: readonly ListedRun[], now: number, terminal: Terminal): string[] {
  if (runs.length === 0) return [];
  const head = HEADINGS.map((text) => ({ text, paint: dim(terminal), right: RIGHT.has(text) }));
  const rows = runs.map((run) => cellsOf(run, now, terminal));
  const room = terminal.columns === null ? null : roomForTags(rows, terminal.columns);
  const whole = [head, ...rows.map((row, at) => [...row, tagsOf(runs[at], room)])];
  return [...textTable(terminal.columns === null ? whole : fitted(whole, terminal.columns))];
}

/** Columns that a narrow terminal does without, the first one first. */
const DISPENSABLE = ['TAGS', 'SIZE', 'STEPS', 'CALLS'];

/** Rows, heading included, without the columns for which there is no room. */
function fitted(rows: readonly (readonly Cell[])[], columns: number): readonly (readonly Cell[])[] {
  const width = (at: number): number => Math.max(...rows.map((row) => row[at]?.text.length ?? 0)) + 2;
  let kept = HEADINGS.map((_, at) => at);
  for (const heading of DISPENSABLE) {
    if (kept.reduce((sum, at) => sum + width(at), -2) <= columns) break;
    kept = kept.filter((at) => HEADINGS[at] !== heading);
  }
  return rows.map((row) => kept.flatMap((at) => row[at] ?? []));
}

function cellsOf(run: ListedRun, now: number, terminal: Terminal): readonly Cell[] {
  const name = displayLine(run.agent_name, terminal.columns === null ? null : LONGEST_NAME);
  const calls = run.calls.tool + run.calls.llm;
  // What is being written counts its events at its end.
  const number = (text: string): Cell => ({ text: run.unfinished ? '-' : text, right: true });
  return [
    { text: displayLine(run.short_id, null), paint: (text) => terminal.paint('yellow', text) },
    { text: name },
    statusOf(run, terminal),
    number(String(calls)),
    number(String(run.events)),
    { text: formatAge(now - run.createdAt), right: true },
    { text: formatSize(run.size), right: true },
  ];
}

function statusOf({ status, unfinished, failure }: ListedRun, terminal: Terminal): Cell {
  if (unfinished) return { text: 'unfinished', paint: (text) => terminal.paint('yellow', text) };
  if (status !== 'failed') return { text: status };
  const type = failure === null ? '' : ` ${displayLine(failure.type, LONGEST_NAME)}`;
  return { text: `failed${type}`, paint: (text) => terminal.paint('red', text) };
}

/** What distinguishes a run beside its facts: that it is kept, that it is packed, its tags. */
function tagsOf(run: ListedRun | undefined, room: number | null): Cell {
  if (run === undefined) return { text: '' };
  const tags = Object.entries(run.tags).map(([name, value]) => `${name}=${value}`);
  const marks = [...(run.kept ? ['(kept)'] : []), ...(run.packed ? ['(packed)'] : [])];
  return { text: displayLine([...marks, ...tags].join(' '), room) };
}

function roomForTags(rows: readonly (readonly Cell[])[], columns: number): number {
  const widths = HEADINGS.slice(0, -1).map((heading, at) =>
    Math.max(heading.length, ...rows.map((row) => row[at]?.text.length ?? 0)),
  );
  return Math.max(10, columns - widths.reduce((sum, width) => sum + width + 2, 0));
}

const dim =
  (terminal: Terminal) =>
  (text: string): string =>
    terminal.paint('dim', text);
