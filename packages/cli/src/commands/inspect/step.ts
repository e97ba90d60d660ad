import { displayText, type Json } from '@stepfork/trace-format';
import { formatDuration } from '../../duration.js';
import { jsonDocumentParts, LONGEST } from '../../json-text.js';
import type { Terminal } from '../../terminal.js';
import { showJson, showText } from './json-colours.js';
import { count } from './summary.js';
import type { EventHead, RunView } from './view.js';

/** One event in full: every field it has, payloads over as many lines as they need. */
export function* formatStep(head: EventHead, run: RunView, terminal: Terminal): Generator<string, void, undefined> {
  const { events } = run;
  const event = run.inFull(head);
  const parent = events.find(({ id }) => id === event.parent_id);
  const facts: readonly (readonly [string, string | null])[] = [
    ['id', event.id],
    ['parent', parent === undefined ? event.parent_id : `${parent.id} (step ${parent.step}, ${titleOf(parent)})`],
    ['time', event.timestamp],
    ['duration', event.duration_ms === null ? null : formatDuration(event.duration_ms)],
    ['status', event.status],
    ['outcome', outcomeOf(head, run)],
    ['replay policy', event.replay_policy],
    ['input hash', event.input_hash],
    ['output hash', event.output_hash],
    ['redacted', event.redactions.length === 0 ? null : event.redactions.join(', ')],
    ...event.placeholders.map(({ path, reason }) => ['not stored', `${path} (${reason})`] as const),
    ['ambiguous', event.ambiguous ? 'only its order tells it from an identical call' : null],
    ['stream', event.stream && `${event.stream.kind}, ${count(event.stream.chunks, 'chunk')}, ${event.stream.end}`],
    ['text', event.stream?.text ?? null],
  ];
  yield terminal.paint('bold', displayText(`step ${event.step}: ${titleOf(event)}`));
  for (const [name, value] of [...facts, ...Object.entries(event.details)]) {
    if (value === null) continue;
    yield `\n${terminal.paint('dim', typeof value === 'object' ? name : name.padEnd(14))}`;
    yield* shown(value, terminal);
  }
}

/** The start of a run has no name but its type. */
const titleOf = ({ type, label }: EventHead): string => (type === label ? type : `${type} ${label}`);

/** Where a call's outcome stands, and what it was; null for what is no call. */
function outcomeOf(event: EventHead, run: RunView): string | null {
  const { events, spans } = run;
  const span = spans.find(({ start }) => events[start] === event);
  if (span === undefined) return null;
  const outcome = span.end === null ? undefined : events[span.end];
  if (outcome === undefined) return 'none: it was not answered';
  const error =
    outcome.type === 'error' ? outcome : events.find((e) => e.type === 'error' && e.parent_id === outcome.id);
  const message = error === undefined ? null : run.inShort(error, LONGEST).details.message;
  const what =
    error === undefined ? outcome.status : `${error.label}${typeof message === 'string' ? `: ${message}` : ''}`;
  return `step ${outcome.step}, ${outcome.type}: ${what}`;
}

/** Facts begin in this column. */
const INDENT = ' '.repeat(13);

/** A text fact as it is; a structure as an indented document, so that it can be copied out. */
function* shown(value: Json, terminal: Terminal): Generator<string, void, undefined> {
  if (typeof value === 'object') {
    yield '\n';
    yield* showJson(jsonDocumentParts(value), terminal);
    return;
  }
  const { columns } = terminal;
  const narrower = { ...terminal, columns: columns === null ? null : columns - INDENT.length - 2 };
  yield ` ${showText(displayText(String(value)), narrower, '').replaceAll('\n', `\n${INDENT}`)}`;
}
