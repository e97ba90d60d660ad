import { displayText, type Json } from '@stepfork/trace-format';
import { jsonDocument } from '../../json-text.js';
import type { Terminal } from '../../terminal.js';
import { showJson, showText } from './json-colours.js';
import { count, formatDuration } from './summary.js';
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
    ...event.placeholders.map(({ path, reason }) => ['not stored', `${path} (${reason})`] as const),
    ['ambiguous', event.ambiguous ? 'only its order tells it from an identical call' : null],
    ['stream', event.stream && `${event.stream.kind}, ${count(event.stream.chunks, 'chunk')}, ${event.stream.end}`],
    ['text', event.stream?.text ?? null],
  ];
  const head = terminal.paint('bold', displayText(`step ${event.step}: ${event.type} ${event.label}`));
  const lines = [...facts, ...Object.entries(event.details)].flatMap(([name, value]) =>
    value === null
      ? []
      : [terminal.paint('dim', typeof value === 'object' ? name : name.padEnd(14)) + shown(value, terminal)],
  );
  return [head, ...lines].join('\n');
}

/** Facts begin in this column. */
const INDENT = ' '.repeat(13);

/** A text fact as it is; a structure as an indented document, so that it can be copied out. */
function shown(value: Json, terminal: Terminal): string {
  if (typeof value === 'object') return `\n${showJson(jsonDocument(value), terminal)}`;
  const { columns } = terminal;
  const narrower = { ...terminal, columns: columns === null ? null : columns - INDENT.length - 2 };
  return ` ${showText(displayText(String(value)), narrower, '').replaceAll('\n', `\n${INDENT}`)}`;
}
