import { isJsonObject, type Json } from '@stepfork/trace-format';
import { displayLine, jsonLine } from '../../json-text.js';
import type { Style, Terminal } from '../../terminal.js';
import { formatDuration } from './summary.js';
import type { EventView } from './view.js';

/** Where a line is cut that no terminal limits. */
const PREVIEW = 200;
/** Levels that are indented; a bundle may claim any number. */
const DEEPEST = 40;

/** What happened, a line an event, calls inside calls indented; payloads cut to fit. */
export function formatTimeline(events: readonly EventView[], terminal: Terminal): string {
  const width = terminal.columns ?? PREVIEW;
  const digits = Math.max(2, String(events.at(-1)?.step).length);
  const byId = new Map(events.map((event) => [event.id, event]));
  const lines = events.map((event, position) => {
    const { mark, style, head, payload } = describe(event);
    const start = `${String(event.step).padStart(digits)}  `;
    const indent = '  '.repeat(Math.min(event.depth, DEEPEST));
    const parent = byId.get(event.parent_id ?? '');
    const whose = parent === events[position - 1] || parent?.type === 'run_start' ? undefined : parent;
    const room = Math.max(20, width - start.length - indent.length);
    const lead = displayLine(`${mark} ${head}${isAnswer(event) ? answerSuffix(event, whose) : ''}`, room);
    const rest = payload === undefined ? '' : displayLine(jsonLine(payload), Math.max(20, room - lead.length - 1));
    return `${terminal.paint('dim', start)}${indent}${style === null ? lead : terminal.paint(style, lead)} ${rest}`.trimEnd();
  });
  return lines.join('\n');
}

/** Beside its call an answer speaks for itself; further down it has to name it. */
function answerSuffix({ duration_ms }: EventView, call: EventView | undefined): string {
  const whose = call === undefined ? '' : ` (${call.label}, step ${call.step})`;
  return duration_ms === null ? whose : `${whose} in ${formatDuration(duration_ms)}`;
}

const isAnswer = ({ type }: EventView): boolean =>
  type === 'tool_result' || type === 'llm_response' || type === 'error';

interface Line {
  readonly mark: string;
  readonly style: Style | null;
  readonly head: string;
  readonly payload: Json | undefined;
}

function describe({ type, label, status, details }: EventView): Line {
  const failed = status === 'error';
  switch (type) {
    case 'run_start':
      return { mark: '▸', style: 'bold', head: 'run', payload: details.input };
    case 'tool_call':
      return { mark: '→', style: 'bold', head: `tool ${label}`, payload: details.input };
    case 'llm_request': {
      const provider = typeof details.provider === 'string' ? `${details.provider}/` : '';
      return { mark: '→', style: 'bold', head: `llm ${provider}${label}`, payload: details.input };
    }
    case 'tool_result':
    case 'llm_response':
      return {
        mark: '←',
        style: failed ? 'red' : null,
        head: failed ? 'failed' : 'returned',
        payload: details.output,
      };
    case 'error':
      return {
        mark: '✗',
        style: 'red',
        head: `${label}: ${String(details.message)}`,
        payload: ownDetails(details.details),
      };
    case 'state_change':
      return { mark: '·', style: null, head: `state ${label}`, payload: changed(details) };
    case 'run_end':
      return { mark: '■', style: label === 'failed' ? 'red' : 'green', head: label, payload: details.output };
  }
}

const changed = (details: EventView['details']): Json => [details.before ?? null, details.after ?? null];

/** What was thrown is stored whole; its name and message stand in the line already. */
function ownDetails(details: Json | undefined): Json | undefined {
  if (details === null || details === undefined) return undefined;
  return isJsonObject(details) && details.$stepfork === 'error' ? undefined : details;
}
