import {
  addEvent,
  createTrace,
  errorEvent,
  runStartEvent,
  type Trace,
  toolCallEvent,
  toolResultEvent,
} from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { memoryTerminal } from '../../../test/support/memory-terminal.js';
import { formatEvents } from './event-table.js';
import { formatMatches } from './grep.js';
import { formatTimeline } from './timeline.js';
import { viewRun } from './view.js';

/** Calls within calls, each of which says a lot and then fails. */
function deepTrace(): Trace {
  const trace = createTrace({ agentName: 'deep' });
  let parent = addEvent(trace, runStartEvent({ input: { text: 'x'.repeat(300) } })).id;
  const calls: string[] = [];
  for (let depth = 0; depth < 60; depth++) {
    const input = { [`a key of some length ${depth}`]: 'word '.repeat(40) };
    parent = addEvent(trace, toolCallEvent({ name: `tool-${depth}-${'n'.repeat(30)}`, input, parent_id: parent })).id;
    calls.push(parent);
  }
  for (const parent_id of calls.reverse()) {
    const failed = { error_type: 'RangeError', message: 'no word of it was understood, '.repeat(6) };
    const result = addEvent(trace, toolResultEvent({ name: 'tool', output: failed, status: 'error', parent_id }));
    addEvent(trace, errorEvent({ ...failed, parent_id: result.id }));
  }
  return trace;
}

const view = viewRun(deepTrace(), 'not_checked');

describe.each([40, 60, 80, 100, 200])('at %d columns', (columns) => {
  const terminal = memoryTerminal({ columns });
  it.each<[what: string, text: () => Iterable<string>]>([
    ['the timeline', () => formatTimeline(view, terminal)],
    ['events in full', () => formatEvents(view.events, view, terminal)],
    ['what a pattern finds', () => formatMatches(view.events, view, /word/, terminal)],
    ['what a pattern finds in a key', () => formatMatches(view.events, view, /some length/, terminal)],
  ])('no line of %s is wider', (_, text) => {
    const lines = [...text()].join('').split('\n');
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    expect(lines.length).toBeGreaterThan(50);
  });
});

describe('in a pipe', () => {
  it('a line is an event, whole', () => {
    const lines = [...formatEvents(view.events, view, memoryTerminal())].join('').split('\n');
    expect(lines).toHaveLength(view.events.length);
    expect(lines[0]).toContain('x'.repeat(300));
  });
});
