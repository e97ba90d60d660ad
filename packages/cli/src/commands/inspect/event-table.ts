import { displayText } from '@stepfork/trace-format';
import { jsonLine } from '../../json-text.js';
import type { Terminal } from '../../terminal.js';
import { formatDuration } from './summary.js';
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
    const line = cells.join('  ');
    return `${failed ? terminal.paint('red', line) : line}  ${jsonLine(event.details)}`;
  });
  return lines.join('\n');
}

function cellsOf(event: EventView, steps: ReadonlyMap<string, number>): readonly string[] {
  const { step, type, label, status, parent_id, duration_ms } = event;
  const parent = parent_id === null ? '-' : `in ${steps.get(parent_id) ?? displayText(parent_id)}`;
  const took = duration_ms === null ? '-' : formatDuration(duration_ms);
  return [String(step), type, displayText(label), status, parent, took];
}
