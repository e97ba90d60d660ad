import { pairCalls } from './calls/pair-calls.js';
import type { RunStatus } from './event.js';
import type { Json } from './json.js';
import type { Failure } from './manifest.js';
import type { Trace } from './trace.js';

/** A run in short. Plain data; nothing in it is escaped for display. */
export interface TraceSummary {
  readonly run_id: string;
  readonly agent_name: string;
  readonly created_at: string;
  readonly status: RunStatus;
  readonly failure: Failure | null;
  /** Whole milliseconds. */
  readonly duration_ms: number | null;
  /** US dollars. */
  readonly cost_usd: number | null;
  readonly events: number;
  readonly calls: {
    readonly tool: number;
    readonly llm: number;
    /** Calls that threw. */
    readonly failed: number;
    /** Calls that the run ended before. */
    readonly open: number;
  };
  readonly tokens: { readonly prompt: number; readonly completion: number; readonly total: number };
  readonly errors: number;
  /** Places that were redacted. */
  readonly redactions: number;
  /** Parts of payloads that could not be stored. */
  readonly placeholders: number;
  readonly input: Json;
  readonly output: Json;
  readonly tags: { readonly [name: string]: string };
}

/** Sums a trace up, from its events rather than from what its manifest states. */
export function summarizeTrace(trace: Trace): TraceSummary {
  const calls = pairCalls(trace.events);
  const start = trace.events.find((event) => event.type === 'run_start');
  const end = trace.events.findLast((event) => event.type === 'run_end');
  const responses = trace.events.filter((event) => event.type === 'llm_response');
  const sum = (field: 'prompt_tokens' | 'completion_tokens' | 'total_tokens'): number =>
    responses.reduce((total, response) => total + (response[field] ?? 0), 0);
  const header = trace.runtime.find((record) => record.type === 'runtime');
  return {
    run_id: trace.run_id,
    agent_name: trace.agent_name,
    created_at: trace.created_at,
    status: trace.status,
    failure: trace.failure,
    duration_ms: trace.totals.duration_ms,
    cost_usd: trace.totals.cost_usd,
    events: trace.events.length,
    calls: {
      tool: calls.filter((call) => call.kind === 'tool').length,
      llm: calls.filter((call) => call.kind === 'llm').length,
      failed: calls.filter((call) => call.outcome?.type === 'threw').length,
      open: calls.filter((call) => call.outcome === null).length,
    },
    tokens: { prompt: sum('prompt_tokens'), completion: sum('completion_tokens'), total: sum('total_tokens') },
    errors: trace.events.filter((event) => event.type === 'error').length,
    redactions: trace.events.reduce((total, event) => total + event.redactions.length, 0),
    placeholders: trace.runtime.filter((record) => record.type === 'placeholder').length,
    input: start?.input ?? null,
    output: end?.output ?? null,
    tags: header?.tags ?? {},
  };
}
