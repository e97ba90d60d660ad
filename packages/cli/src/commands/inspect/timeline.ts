import { isJsonObject, type Json, type JsonObject } from '@stepfork/trace-format';
import { formatDuration } from '../../duration.js';
import { displayLine, jsonLine, LONGEST } from '../../json-text.js';
import type { Style, Terminal } from '../../terminal.js';
import { lanesOf } from './lanes.js';
import type { StreamView } from './streams.js';
import { count } from './summary.js';
import { tracksOf } from './track.js';
import type { EventHead, EventView, RunView } from './view.js';

/** Levels that are indented; a bundle may claim any number. */
const DEEPEST = 40;
/** What is left of a line for what happened, at least, and of that for a payload. */
const ROOM = 24;
const PAYLOAD = 8;
/** Narrower terminals have no room for bars. */
const WIDE = 90;

/**
 * What happened, a line an event: calls inside calls indented, a line in front for each call that is open. On a
 * terminal a wide one has a bar for the time that each call took, and payloads are cut to fit.
 */
export function* formatTimeline(run: RunView, terminal: Terminal): Generator<string, void, undefined> {
  const { events, spans } = run;
  const digits = Math.max(2, String(events.at(-1)?.step).length);
  const byId = new Map(events.map((event) => [event.id, event]));
  const lanes = lanesOf(events.length, spans);
  const tracks =
    (terminal.columns ?? 0) < WIDE
      ? []
      : tracksOf(
          events.map(({ timestamp }) => Date.parse(timestamp)),
          spans,
        );
  const width = terminal.columns ?? LONGEST;
  for (const [position, event] of events.entries()) {
    const { details } = run.inShort(event, width);
    const { mark, style, head, payload } = describe({ ...event, details }, width);
    const number = `${String(event.step).padStart(digits)}  `;
    const track = tracks[position] === undefined ? '' : `${tracks[position]}  `;
    const before = number.length + track.length + (lanes[position]?.length ?? 0);
    const deepest =
      terminal.columns === null ? DEEPEST : Math.max(0, Math.floor((terminal.columns - before - ROOM) / 2));
    const indent = `${lanes[position]}${'  '.repeat(Math.min(event.depth, deepest, DEEPEST))}`;
    const parent = byId.get(event.parent_id ?? '');
    const whose = parent === events[position - 1] || parent?.type === 'run_start' ? undefined : parent;
    const taken = number.length + track.length + indent.length;
    const room = terminal.columns === null ? null : Math.max(1, terminal.columns - taken);
    const lead = displayLine(`${mark} ${head}${suffixOf({ ...event, details }, whose)}`, room);
    const left = room === null ? null : room - lead.length - 1;
    const rest = payload === undefined || (left !== null && left < PAYLOAD) ? '' : displayLine(jsonLine(payload), left);
    const bar = track.trim() === '' ? track : terminal.paint('cyan', track);
    const line = `${bar}${indent}${style === null ? lead : terminal.paint(style, lead)} ${rest}`.trimEnd();
    yield `${position === 0 ? '' : '\n'}${terminal.paint('dim', number)}${line}`;
  }
}

/** What is to be said of an event beside its payload. */
function suffixOf(event: EventView, call: EventHead | undefined): string {
  const { redactions, placeholders, ambiguous, stream } = event;
  const marks = [
    ...(stream?.end === 'open' ? [`stream of ${count(stream.chunks, 'chunk')}, not read to its end`] : []),
    ...(redactions.length === 0 ? [] : [`${redactions.length} redacted`]),
    ...(placeholders.length === 0 ? [] : [`${placeholders.length} not stored`]),
    ...(ambiguous ? ['ambiguous'] : []),
  ];
  return `${isAnswer(event) ? answerSuffix(event, call) : ''}${marks.length === 0 ? '' : ` [${marks.join(', ')}]`}`;
}

/** Beside its call an answer speaks for itself; further down it has to name it. */
function answerSuffix({ duration_ms, details }: EventView, call: EventHead | undefined): string {
  const whose = call === undefined ? '' : ` (${call.label}, step ${call.step})`;
  const facts = [
    ...(duration_ms === null ? [] : [`in ${formatDuration(duration_ms)}`]),
    ...tokensOf(details),
    ...(typeof details.cost_usd === 'number' ? [`$${details.cost_usd}`] : []),
  ];
  return facts.length === 0 ? whose : `${whose} ${facts.join(', ')}`;
}

function tokensOf({
  prompt_tokens: read,
  completion_tokens: written,
  total_tokens: all,
}: JsonObject): readonly string[] {
  if (typeof read === 'number' || typeof written === 'number') return [`${read ?? '?'} → ${written ?? '?'} tokens`];
  return typeof all === 'number' ? [`${all} tokens`] : [];
}

const isAnswer = ({ type }: EventHead): boolean =>
  type === 'tool_result' || type === 'llm_response' || type === 'error';

interface Line {
  readonly mark: string;
  readonly style: Style | null;
  readonly head: string;
  readonly payload: Json | undefined;
}

function describe({ type, label, status, details, stream }: EventView, width: number): Line {
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
        head: `${failed ? 'failed' : 'returned'}${stream === null ? '' : streamed(stream)}`,
        // Redacted already, so that it may be cut anywhere.
        payload: failed ? details.output : (stream?.text?.slice(0, 2 * width) ?? details.output),
      };
    case 'error':
      return {
        mark: '✗',
        style: 'red',
        head: `${label}: ${String(details.message)}${stream === null ? '' : streamed(stream)}`,
        payload: ownDetails(details.details),
      };
    case 'state_change':
      return { mark: '·', style: null, head: `state ${label}`, payload: changed(details) };
    case 'run_end':
      return { mark: '■', style: label === 'failed' ? 'red' : 'green', head: label, payload: details.output };
  }
}

function streamed({ chunks, end }: StreamView): string {
  const amount = count(chunks, 'chunk');
  if (end === 'failed') return ` after ${amount}`;
  return end === 'cancelled' ? ` ${amount}, then was left` : ` ${amount}`;
}

const changed = (details: EventView['details']): Json => [details.before ?? null, details.after ?? null];

/** What was thrown is stored whole; its name and message stand in the line already. */
function ownDetails(details: Json | undefined): Json | undefined {
  if (details === null || details === undefined) return undefined;
  return isJsonObject(details) && details.$stepfork === 'error' ? undefined : details;
}
