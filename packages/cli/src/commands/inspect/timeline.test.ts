import {
  addEvent,
  createTrace,
  errorEvent,
  llmRequestEvent,
  llmResponseEvent,
  runEndEvent,
  runStartEvent,
  stateChangeEvent,
  type Trace,
  toolCallEvent,
  toolResultEvent,
} from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { memoryTerminal } from '../../../test/support/memory-terminal.js';
import { formatTimeline } from './timeline.js';
import { viewRun } from './view.js';

function timeline(trace: Trace, columns: number | null = null): string {
  return [...formatTimeline(viewRun(trace, 'not_checked'), memoryTerminal({ columns }))].join('');
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
    expect(timeline(trace)).toBe(` 0     ▸ run null
 1  ┌  → tool outer {}
 2  │┌ → tool other {}
 3  ││   → llm acme/m "hi"
 4  ││   ← returned in 1.5 s "ho"
 5  ││   · state cart [0,1]
 6  │└ ← failed (other, step 2) {"error_type":"E","message":"no"}
 7  │  ✗ E: no
 8  └  ← returned (outer, step 1) in 1 min 30 s 1
 9     ■ completed true`);
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
    expect(timeline(trace)).toContain('x'.repeat(500));
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
    expect(timeline(trace).length).toBeLessThan(2000 * 130);
  });

  it('says what a model used, what was redacted, and what could not be stored', () => {
    const made = createTrace({ agentName: 'marked' });
    const request = addEvent(made, llmRequestEvent({ model: 'm', input: {}, redactions: ['/input/a', '/input/b'] }));
    const usage = { prompt_tokens: 12, completion_tokens: 34, cost_usd: 0.5 };
    const response = addEvent(made, llmResponseEvent({ ...usage, output: 1, parent_id: request.id, duration_ms: 7 }));
    const hole = { type: 'placeholder', event_id: response.id, path: '/output', reason: 'function' } as const;
    expect(timeline({ ...made, runtime: [...made.runtime, hole] })).toBe(` 0  → llm m [2 redacted] {}
 1  ← returned in 7 ms, 12 → 34 tokens, $0.5 [1 not stored] 1`);
  });

  it('has bars on a wide terminal: when a call was open, and for how long', () => {
    const trace = createTrace({ agentName: 'timed' });
    const at = (seconds: number) => ({ timestamp: `2026-01-01T00:00:0${seconds}.000Z` });
    addEvent(trace, runStartEvent({ ...at(0) }));
    const first = addEvent(trace, toolCallEvent({ ...at(0), name: 'a', input: 1 }));
    const second = addEvent(trace, toolCallEvent({ ...at(2), name: 'b', input: 2 }));
    addEvent(trace, toolResultEvent({ ...at(4), name: 'a', output: 3, parent_id: first.id }));
    addEvent(trace, toolResultEvent({ ...at(8), name: 'b', output: 4, parent_id: second.id }));
    expect(timeline(trace, 100)).toBe(` 0                       ▸ run
 1                    ┌  → tool a 1
 2                    │┌ → tool b 2
 3  ━━━━━━━━          └│ ← returned (a, step 1) 3
 4      ━━━━━━━━━━━━   └ ← returned (b, step 2) 4`);
  });

  it('shows a stream as the text that its chunks make, and how it ended', () => {
    const trace = createTrace({ agentName: 'streaming' });
    const chunks = ['Your ', 'order ', 'has shipped.'].map((content) => ({ choices: [{ delta: { content } }] }));
    for (const end of ['complete', 'cancelled'] as const) {
      const call = addEvent(trace, llmRequestEvent({ model: 'm', input: 1 }));
      const output = { $stepfork: 'stream', kind: 'async-generator', end, chunks };
      addEvent(trace, llmResponseEvent({ output, parent_id: call.id }));
    }
    const open = addEvent(trace, llmRequestEvent({ model: 'm', input: 2 }));
    const point = { call_id: open.id, step: 5, order: 0, at_ms: 0, turn: 0 };
    const runtime = [
      ...trace.runtime,
      { type: 'stream', kind: 'web', answered: 'promise', call_turn: 0, ...point },
      { type: 'chunk', index: 0, data: 'Dear', ...point },
    ] as const;
    expect(timeline({ ...trace, runtime })).toBe(` 0  → llm m 1
 1  ← returned 3 chunks "Your order has shipped."
 2  → llm m 1
 3  ← returned 3 chunks, then was left "Your order has shipped."
 4  → llm m [stream of 1 chunk, not read to its end] 2`);
  });
});
