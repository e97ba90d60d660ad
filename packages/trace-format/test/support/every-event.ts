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
  type TraceEvent,
  toolCallEvent,
  toolResultEvent,
  toTraceValue,
} from '../../src/write.js';

/** A run with every type of event, nested and failed calls, tagged values, and fixed ids and times. */
export function everyEvent(): Trace {
  const second = (n: number): string => `2026-10-08T10:00:${String(n).padStart(2, '0')}Z`;
  const trace = createTrace({
    agentName: 'every-event',
    runId: 'run_00000000000000000000000000000001',
    createdAt: second(0),
    status: 'failed',
    failure: { type: 'ToolTimeout', message: 'flight_search timed out', step: 9 },
    environment: { os: 'linux', stepfork_version: '0.1.0' },
  });
  const add = (make: (init: { id: string; timestamp: string }) => TraceEvent): string => {
    const n = trace.events.length;
    return addEvent(trace, make({ id: `evt_${n}`, timestamp: second(n) })).id;
  };
  const start = add((init) => runStartEvent({ ...init, input: { destination: 'Lisbon', nights: 2 } }));
  const request = add((init) =>
    llmRequestEvent({
      ...init,
      parent_id: start,
      provider: 'openai',
      model: 'gpt-test',
      input: { messages: ['Привет 😀'] },
    }),
  );
  add((init) =>
    llmResponseEvent({
      ...init,
      ...{ parent_id: request, model: 'gpt-test', output: { tool: 'flight_search', score: 0.25 }, duration_ms: 12 },
      ...{ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost_usd: 0.00025 },
    }),
  );
  const outer = add((init) =>
    toolCallEvent({ ...init, parent_id: start, name: 'plan', input: { args: [1, 'two', null] } }),
  );
  const inner = add((init) =>
    toolCallEvent({ ...init, parent_id: outer, name: 'clock', input: {}, replay_policy: 'forbidden' }),
  );
  const now = toTraceValue({ now: new Date(0), ids: new Set([1n]), raw: new Uint8Array([1, 2, 3]), not: Number.NaN });
  add((init) => toolResultEvent({ ...init, parent_id: inner, name: 'clock', output: now }));
  add((init) => stateChangeEvent({ ...init, parent_id: outer, key: 'budget', before: 100, after: 1e-7 }));
  add((init) =>
    toolResultEvent({ ...init, parent_id: outer, name: 'plan', output: { 9: 'nine', 10: 'ten', ﬁ: 1, '😀': 2 } }),
  );
  const call = add((init) =>
    toolCallEvent({ ...init, parent_id: start, name: 'flight_search', input: { api_key: '[REDACTED]' } }),
  );
  const failed = add((init) =>
    toolResultEvent({
      ...init,
      ...{
        parent_id: call,
        name: 'flight_search',
        status: 'error',
        output: { error_type: 'ToolTimeout', message: 'timed out' },
      },
    }),
  );
  add((init) =>
    errorEvent({
      ...init,
      ...{
        parent_id: failed,
        error_type: 'ToolTimeout',
        message: 'timed out',
        details: toTraceValue(new Error('timed out')),
      },
    }),
  );
  add((init) => runEndEvent({ ...init, run_status: 'failed', duration_ms: 11_000, output: null }));
  return trace;
}
