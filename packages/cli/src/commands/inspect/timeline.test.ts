import {
  addEvent,
  createTrace,
  errorEvent,
  llmRequestEvent,
  llmResponseEvent,
  pairCalls,
  runEndEvent,
  runStartEvent,
  stateChangeEvent,
  type Trace,
  toolCallEvent,
  toolResultEvent,
} from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { memoryTerminal } from '../../../test/support/memory-terminal.js';
import { nestingOf } from './nesting.js';
import { formatTimeline } from './timeline.js';
import { viewEvent } from './view.js';

function timeline({ events }: Trace, columns: number | null = null): string {
  const depths = nestingOf(events, pairCalls(events));
  return formatTimeline(
    events.map((event, position) => viewEvent(event, depths[position] ?? 0)),
    memoryTerminal({ columns }),
  );
}

describe('formatTimeline', () => {
  it('indents what happened inside a tool, and names the call of an answer that stands apart', () => {
    const trace = createTrace({ agentName: 'nested' });
    const start = addEvent(trace, runStartEvent({ input: null }));
    const outer = addEvent(trace, toolCallEvent({ name: 'outer', input: {}, parent_id: start.id }));
    const other = addEvent(trace, toolCallEvent({ name: 'other', input: {}, parent_id: start.id }));
    const inner = addEvent(trace, llmRequestEvent({ provider: 'acme', model: 'm', input: 'hi', parent_id: outer.id }));
    addEvent(trace, llmResponseEvent({ output: 'ho', parent_id: inner.id, duration_ms: 1500 }));
    addEvent(trace, stateChangeEvent({ key: 'cart', before: 0, after: 1, parent_id: outer.id }));
    const failed = { error_type: 'E', message: 'no' };
    const result = addEvent(
      trace,
      toolResultEvent({ name: 'other', output: failed, status: 'error', parent_id: other.id }),
    );
    addEvent(trace, errorEvent({ ...failed, parent_id: result.id }));
    addEvent(trace, toolResultEvent({ name: 'outer', output: 1, parent_id: outer.id, duration_ms: 90_500 }));
    addEvent(trace, runEndEvent({ run_status: 'completed', output: true }));
    expect(timeline(trace)).toBe(` 0  ▸ run null
 1  → tool outer {}
 2  → tool other {}
 3    → llm acme/m "hi"
 4    ← returned in 1.5 s "ho"
 5    · state cart [0,1]
 6  ← failed (other, step 2) {"error_type":"E","message":"no"}
 7  ✗ E: no
 8  ← returned (outer, step 1) in 1 min 30 s 1
 9  ■ completed true`);
  });

  it('keeps the level of a chain, in which every event hangs on the one before', () => {
    const trace = createTrace({ agentName: 'chained' });
    const start = addEvent(trace, runStartEvent({}));
    const request = addEvent(trace, llmRequestEvent({ model: 'm', input: 1, parent_id: start.id }));
    const response = addEvent(trace, llmResponseEvent({ output: 2, parent_id: request.id }));
    const call = addEvent(trace, toolCallEvent({ name: 't', input: 3, parent_id: response.id }));
    const result = addEvent(trace, toolResultEvent({ name: 't', output: 4, parent_id: call.id }));
    addEvent(trace, runEndEvent({ run_status: 'completed', parent_id: result.id }));
    expect(timeline(trace)).not.toMatch(/^ \d {3}/m);
  });

  it('fits the terminal', () => {
    const trace = createTrace({ agentName: 'wide' });
    addEvent(trace, toolCallEvent({ name: 'n'.repeat(500), input: 'x'.repeat(500) }));
    addEvent(trace, toolCallEvent({ name: 'search', input: 'x'.repeat(500) }));
    for (const line of timeline(trace, 60).split('\n')) expect(line.length).toBeLessThanOrEqual(60 + 21);
    expect(timeline(trace, 60).split('\n')[1]).toMatch(/^ 1 {2}→ tool search "x+…$/);
    expect(timeline(trace, 60).split('\n')[1]).toHaveLength(60);
  });

  it('is not made endless by a bundle that claims endless nesting', () => {
    const trace = createTrace({ agentName: 'deep' });
    let parent: string | null = null;
    for (let depth = 0; depth < 2000; depth++) {
      parent = addEvent(trace, toolCallEvent({ name: 't', input: null, parent_id: parent })).id;
    }
    expect(timeline(trace).length).toBeLessThan(2000 * 120);
  });
});
