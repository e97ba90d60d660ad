import type { RunStatus, TraceEvent } from './event.js';

/** Why a run failed; present exactly when the manifest's status is `failed`. */
export interface Failure {
  readonly type: string;
  readonly message: string;
  readonly step: number;
}

export interface Environment {
  readonly python: string | null;
  readonly os: string | null;
  readonly stepfork_version: string | null;
}

export interface Totals {
  readonly events: number;
  readonly llm_calls: number;
  readonly tool_calls: number;
  /** US dollars. */
  readonly cost_usd: number | null;
  /** Whole milliseconds. */
  readonly duration_ms: number | null;
}

/** manifest.json of schema 0.1. */
export interface Manifest {
  readonly format: 'stepfork';
  readonly schema_version: '0.1';
  readonly run_id: string;
  readonly agent_name: string;
  /** ISO 8601 with a zone. */
  readonly created_at: string;
  readonly status: RunStatus;
  readonly failure: Failure | null;
  readonly environment: Environment;
  readonly totals: Totals;
}

/** Totals of a run in which nothing has happened. */
export const NO_TOTALS: Totals = { events: 0, llm_calls: 0, tool_calls: 0, cost_usd: null, duration_ms: null };

/** Totals after one more event. */
export function countEvent(totals: Totals, event: TraceEvent): Totals {
  return {
    ...totals,
    events: totals.events + 1,
    llm_calls: totals.llm_calls + (event.type === 'llm_request' ? 1 : 0),
    tool_calls: totals.tool_calls + (event.type === 'tool_call' ? 1 : 0),
  };
}
