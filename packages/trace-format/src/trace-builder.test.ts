import { describe, expect, it } from 'vitest';
import { newEventId, newRunId } from './clock.js';
import { runStartEvent, toolCallEvent } from './event-constructors.js';
import { parseJson } from './json/parse-json.js';
import { PAYLOAD_FIELDS, payloadText } from './payloads.js';
import { addEvent, createTrace } from './trace-builder.js';

describe('a trace built by hand', () => {
  it('B082 gives each event its run and step, and leaves the caller’s object alone', () => {
    const trace = createTrace({ agentName: 'agent' });
    const event = toolCallEvent({ name: 'search', input: { q: 1 }, step: 40 });
    const before = { ...event };
    const first = addEvent(trace, event);
    const second = addEvent(trace, event);
    expect(event).toEqual(before);
    expect(trace.events).toEqual([first, second]);
    expect([first.step, second.step]).toEqual([0, 1]);
    expect(first.run_id).toBe(trace.run_id);
    expect(trace.totals).toMatchObject({ events: 2, tool_calls: 2, llm_calls: 0 });
  });

  it('B083 makes ids of a prefix and 32 hex digits, each its own', () => {
    expect(newEventId()).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(newRunId()).toMatch(/^run_[0-9a-f]{32}$/);
    expect(newRunId()).not.toBe(newRunId());
    expect(createTrace({ agentName: 'a' }).run_id).toMatch(/^run_[0-9a-f]{32}$/);
    expect(runStartEvent()).toMatchObject({ step: 0, status: 'ok', replay_policy: 'frozen', redactions: [] });
  });

  it('takes what it is given', () => {
    const trace = createTrace({
      ...{ agentName: 'a', runId: 'run_x', createdAt: '2026-10-08T10:00:00Z', status: 'failed' },
      ...{ failure: { type: 'E', message: 'm', step: 0 }, environment: { os: 'linux' }, tags: { requestId: 'r' } },
    });
    expect(trace).toMatchObject({
      ...{ run_id: 'run_x', created_at: '2026-10-08T10:00:00Z', status: 'failed', failure: { type: 'E' } },
      ...{ environment: { python: null, os: 'linux' }, runtime: [{ type: 'runtime', tags: { requestId: 'r' } }] },
    });
  });

  it('keeps floats floats in what it takes over', () => {
    const read = parseJson('{"input":1.0}') as { input: number };
    const event = Object.assign(read, toolCallEvent({ name: 'n', input: 1 }));
    const added = addEvent(createTrace({ agentName: 'a' }), event);
    const [field] = PAYLOAD_FIELDS.tool_call;
    expect(field && payloadText(added, field)).toBe('1.0');
  });
});
