import { displayText } from '@stepfork/trace-format';
import { formatDuration } from '../../duration.js';
import { folded } from '../../fold.js';
import { jsonLine } from '../../json-text.js';
import type { Terminal } from '../../terminal.js';
import type { EventView, RunView } from './view.js';

/** Every event on a line of its own, nothing left out: for reading one run closely, and for grep. */
export function formatEvents(events: readonly EventView[], run: RunView, terminal: Terminal): string {
  const steps = new Map(run.events.map(({ id, step }) => [id, step]));
  const table = events.map((event) => cellsOf(event, steps));
  const widths: number[] = [];
  for (const row of table) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  const lines = events.map((event, at) => {
    const cells = (table[at] ?? []).map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 ? cell.padStart(width) : cell.padEnd(width);
    });
    const failed = event.status === 'error' || event.type === 'error';
    const head = cells.join('  ');
    const line = folded(`${head}  ${jsonLine(event.details)}`, terminal.columns);
    if (!failed) return line;
    // Where the head itself was broken, the line is red as far as it goes.
    const red = line.startsWith(head) ? head.length : line.indexOf('\n');
    return terminal.paint('red', line.slice(0, red)) + line.slice(red);
  });
  return lines.join('\n');
}

function cellsOf(event: EventView, steps: ReadonlyMap<string, number>): readonly string[] {
  const { step, type, label, status, parent_id, duration_ms } = event;
  const parent = parent_id === null ? '-' : `in ${steps.get(parent_id) ?? displayText(parent_id)}`;
  const took = duration_ms === null ? '-' : formatDuration(duration_ms);
  return [String(step), type, displayText(label), status, parent, took];
}
