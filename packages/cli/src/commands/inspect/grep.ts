import { formatPath, isJsonArray, isJsonObject, type Json, type PathSegment } from '@stepfork/trace-format';
import { displayLine } from '../../json-text.js';
import type { Terminal } from '../../terminal.js';
import type { EventHead, EventView, RunView } from './view.js';

/** A text of an event in which the pattern was found. */
export interface Match {
  readonly path: string;
  /** The line of that text, and where in it the pattern stands. */
  readonly line: string;
  readonly at: number;
  readonly length: number;
}

/** Where a pattern stands in an event: in its keys, its texts, its numbers. */
export function matchesIn(event: EventView, pattern: RegExp): readonly Match[] {
  const texts = event.stream?.text == null ? event.details : { ...event.details, 'streamed text': event.stream.text };
  return [...leavesOf(texts, [])].flatMap(([path, text]) => matchOf(path, text, pattern));
}

function matchOf(path: string, text: string, pattern: RegExp): readonly Match[] {
  const found = pattern.exec(text);
  if (found === null) return pattern.test(path) ? [{ path, line: firstLine(text), at: 0, length: 0 }] : [];
  const start = text.lastIndexOf('\n', found.index - 1) + 1;
  const end = text.indexOf('\n', found.index);
  const line = text.slice(found.index === 0 ? 0 : start, end === -1 ? text.length : end);
  return [{ path, line, at: found.index - (found.index === 0 ? 0 : start), length: found[0].length }];
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

function* leavesOf(json: Json, path: readonly PathSegment[]): Generator<readonly [path: string, text: string]> {
  if (isJsonArray(json)) {
    for (const [index, item] of json.entries()) yield* leavesOf(item, [...path, index]);
  } else if (isJsonObject(json)) {
    for (const [key, value] of Object.entries(json)) yield* leavesOf(value, [...path, key]);
  } else {
    yield [formatPath(path), String(json)];
  }
}

/** A line a match: which event, where in it, and what stands around it. */
export function* formatMatches(
  events: readonly EventHead[],
  run: RunView,
  pattern: RegExp,
  terminal: Terminal,
): Generator<string, void, undefined> {
  const digits = Math.max(2, String(events.at(-1)?.step).length);
  for (const [position, event] of events.entries()) {
    const found = matchesIn(run.inFull(event), pattern);
    const own = found.length > 0 ? found : [null];
    const half = terminal.columns === null ? null : Math.floor(terminal.columns / 2) - digits;
    const head = `${String(event.step).padStart(digits)}  ${displayLine(`${event.type} ${event.label}`, half)}`;
    for (const [index, match] of own.entries()) {
      const line = match === null ? head : `${head}  ${formatMatch(match, head.length, terminal)}`;
      yield `${position + index === 0 ? '' : '\n'}${line}`;
    }
  }
}

/** Characters of a match and of what stands around it that a long path leaves room for. */
const AROUND = 24;

function formatMatch({ path, line, at, length }: Match, taken: number, terminal: Terminal): string {
  const left = terminal.columns === null ? null : terminal.columns - taken - 4;
  const where = displayLine(path, left === null ? null : Math.max(2, Math.floor(left / 2), left - AROUND));
  const room = left === null ? null : Math.max(1, left - where.length - 1);
  // On a terminal what stands around the match is what is wanted of a long line.
  const from = room === null || line.length <= room ? 0 : Math.max(0, Math.min(at - Math.floor(room / 3), at));
  const before = displayLine(line.slice(from, at), null);
  const hit = displayLine(line.slice(at, at + length), room === null ? null : Math.max(1, room - before.length));
  const rest = room === null ? null : room - before.length - hit.length;
  const after =
    at + length === line.length || (rest !== null && rest < 2) ? '' : displayLine(line.slice(at + length), rest);
  return `${terminal.paint('dim', where)}: ${from > 0 ? '…' : ''}${before}${hit === '' ? '' : terminal.paint('bold', hit)}${after}`;
}
