import { newRunId, nowMs, timestampNow } from './clock.js';
import type { RunStatus, TraceEvent } from './event.js';
import { carryMark } from './json/float-marks.js';
import { countEvent, type Environment, type Failure, NO_TOTALS, type Totals } from './manifest.js';
import { PAYLOAD_FIELDS } from './payloads.js';
import type { RuntimeHeader } from './runtime.js';
import type { Trace } from './trace.js';

/** What a trace built by hand starts from. */
export interface CreateTraceOptions {
  readonly agentName: string;
  /** Default: a fresh one. */
  readonly runId?: string;
  /** ISO 8601 with a zone. Default: now. */
  readonly createdAt?: string;
  /** Default `running`. */
  readonly status?: RunStatus;
  /** Required exactly when the status is `failed`. */
  readonly failure?: Failure | null;
  readonly environment?: Partial<Environment>;
  /** Kept in the bundle's runtime header. */
  readonly tags?: { readonly [name: string]: string };
}

const NO_ENVIRONMENT: Environment = { python: null, os: null, stepfork_version: null };

/** A trace without events, to be filled by `addEvent` and written by the recorder's `saveTrace`. */
export function createTrace(options: CreateTraceOptions): Trace {
  return {
    format: 'stepfork',
    schema_version: '0.1',
    run_id: options.runId ?? newRunId(),
    agent_name: options.agentName,
    created_at: options.createdAt ?? timestampNow(),
    status: options.status ?? 'running',
    failure: options.failure ?? null,
    environment: { ...NO_ENVIRONMENT, ...options.environment },
    totals: NO_TOTALS,
    events: [],
    runtime: options.tags === undefined ? [] : [headerOf(options.tags)],
  };
}

/**
 * Adds an event in place, as the trace's next step: `run_id` becomes the trace's, `step` the number of events so
 * far. The caller's object is not changed.
 *
 * @returns the event as it now stands in the trace
 */
export function addEvent<E extends TraceEvent>(trace: Trace, event: E): E {
  const added: E = { ...event, run_id: trace.run_id, step: trace.events.length };
  for (const field of PAYLOAD_FIELDS[event.type]) carryMark(event, field.name, added, field.name);
  const open = trace as unknown as { events: TraceEvent[]; totals: Totals };
  open.events.push(added);
  open.totals = countEvent(trace.totals, added);
  return added;
}

function headerOf(tags: { readonly [name: string]: string }): RuntimeHeader {
  return {
    type: 'runtime',
    schema: 'stepfork-runtime/1',
    language: 'node',
    language_version: process.versions.node,
    recorder_version: 'none',
    started_at_ms: nowMs(),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    tags: { ...tags },
    redaction: { ruleset: 'none', fingerprint: '' },
  };
}
