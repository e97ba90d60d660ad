import { displayText } from '@stepfork/trace-format';
import { formatDuration } from '../../duration.js';
import { foldedParts } from '../../fold.js';
import { jsonLineParts } from '../../json-text.js';
import { joined } from '../../parts.js';
import type { Terminal } from '../../terminal.js';
import type { EventHead, RunView } from './view.js';

/**
 * Every event on a line of its own, nothing left out: for reading one run closely, and for grep. The lines come in parts.
 */
export function formatEvents(events: readonly EventHead[], run: RunView, terminal: Terminal): Iterable<string> {
  const steps = new Map(run.events.map(({ id, step }) => [id, step]));
  const widths: number[] = [];
  for (const event of events) {
    for (const [column, cell] of cellsOf(event, steps).entries()) {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    }
  }
  return joined(
    linesOf(events, run, (event) => headOf(cellsOf(event, steps), widths), terminal),
    '\n',
  );
}

function* linesOf(
  events: readonly EventHead[],
  run: RunView,
  head: (event: EventHead) => string,
  terminal: Terminal,
): Generator<Iterable<string>, void, undefined> {
  for (const event of events) {
    const start = head(event);
    const line = foldedParts(joined([[`${start}  `], jsonLineParts(run.inFull(event).details)], ''), terminal.columns);
    const failed = event.status === 'error' || event.type === 'error';
    yield failed ? withRedHead(line, start, terminal) : line;
  }
}

function headOf(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, column) => {
    const width = widths[column] ?? 0;
    return column === 0 ? cell.padStart(width) : cell.padEnd(width);
  });
  return padded.join('  ');
}

function* withRedHead(line: Iterable<string>, head: string, terminal: Terminal): Generator<string, void, undefined> {
  let isFirst = true;
  for (const part of line) {
    if (!isFirst) yield part;
    else {
      // Where the head itself was broken, the line is red as far as it goes.
      const red = part.startsWith(head) ? head.length : part.trimEnd().length;
      yield terminal.paint('red', part.slice(0, red)) + part.slice(red);
    }
    isFirst = false;
  }
}

function cellsOf(event: EventHead, steps: ReadonlyMap<string, number>): readonly string[] {
  const { step, type, label, status, parent_id, duration_ms } = event;
  const parent = parent_id === null ? '-' : `in ${steps.get(parent_id) ?? displayText(parent_id)}`;
  const took = duration_ms === null ? '-' : formatDuration(duration_ms);
  return [String(step), type, displayText(label), status, parent, took];
}
