import { displayText, type Json } from '@stepfork/trace-format';
import { jsonDocument } from '../../json-text.js';
import type { Terminal } from '../../terminal.js';
import { formatDuration } from './summary.js';
import type { EventView, RunView } from './view.js';

/** One event in full: every field it has, payloads over as many lines as they need. */
export function formatStep(event: EventView, { events }: RunView, terminal: Terminal): string {
  const parent = events.find(({ id }) => id === event.parent_id);
  const facts: readonly (readonly [string, string | null])[] = [
    ['id', event.id],
    [
      'parent',
      parent === undefined ? event.parent_id : `${parent.id} (step ${parent.step}, ${parent.type} ${parent.label})`,
    ],
    ['time', event.timestamp],
    ['duration', event.duration_ms === null ? null : formatDuration(event.duration_ms)],
    ['status', event.status],
    ['replay policy', event.replay_policy],
    ['input hash', event.input_hash],
    ['output hash', event.output_hash],
    ['redacted', event.redactions.length === 0 ? null : event.redactions.join(', ')],
  ];
  const head = terminal.paint('bold', displayText(`step ${event.step}: ${event.type} ${event.label}`));
  const lines = [...facts, ...Object.entries(event.details)].flatMap(([name, value]) =>
    value === null ? [] : [terminal.paint('dim', typeof value === 'object' ? name : name.padEnd(14)) + shown(value)],
  );
  return [head, ...lines].join('\n');
}

/** A text fact as it is; a structure as an indented document, so that it can be copied out. */
function shown(value: Json): string {
  return typeof value === 'object' ? `\n${jsonDocument(value)}` : ` ${displayText(String(value))}`;
}
