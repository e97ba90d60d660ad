import { createRedactor, type RedactOptions } from '@stepfork/redact';
import {
  type Json,
  type JsonObject,
  loadTrace,
  pairCalls,
  summarizeTrace,
  type Trace,
  type TraceEvent,
  type TraceSummary,
  validateBundle,
} from '@stepfork/trace-format';
import { redactedEvent, redactedManifest } from '../../redacted.js';
import { ambiguousCalls } from './ambiguous-calls.js';
import type { Span } from './lanes.js';
import { nestingOf } from './nesting.js';
import { type StreamView, streamsOf } from './streams.js';

/** One event as it is shown: redacted by today's rules, whatever the rules were when it was recorded. */
export interface EventView {
  readonly id: string;
  readonly step: number;
  readonly type: TraceEvent['type'];
  /** Model, tool name, state key, error type, run status. */
  readonly label: string;
  readonly status: TraceEvent['status'];
  readonly parent_id: string | null;
  readonly timestamp: string;
  readonly duration_ms: number | null;
  /** Calls around it: 0 for what the run itself did. */
  readonly depth: number;
  /** What is particular to its type: payloads, provider, tokens, message. */
  readonly details: JsonObject;
  readonly replay_policy: TraceEvent['replay_policy'];
  readonly input_hash: string | null;
  readonly output_hash: string | null;
  /** JSON Pointers to what was redacted when it was recorded. */
  readonly redactions: readonly string[];
  /** What could not be stored of its payloads. */
  readonly placeholders: readonly { readonly path: string; readonly reason: string }[];
  /** Whether this call can be told from an identical one by nothing but their order. */
  readonly ambiguous: boolean;
  /** At the outcome of a call that gave a stream, or at the call itself where there is none. */
  readonly stream: StreamView | null;
}

/** A recorded run as it is shown. */
export interface RunView {
  readonly run: Omit<Trace, 'events' | 'runtime' | 'blobs'>;
  /** Counts and sums over the events. */
  readonly summary: Pick<TraceSummary, 'calls' | 'tokens' | 'errors' | 'redactions' | 'placeholders' | 'tags'> & {
    /** Calls that only their order tells apart. */
    readonly ambiguous: number;
  };
  readonly integrity: 'verified' | 'mismatch' | 'unverified_legacy' | 'not_checked';
  readonly events: readonly EventView[];
  /** Its calls, as positions among the events. */
  readonly spans: readonly Span[];
}

/** Reads a bundle for showing. The bundle is not changed. */
export async function readRun(bundle: string, rules: RedactOptions): Promise<RunView> {
  const trace = loadTrace(bundle);
  const { integrity } = validateBundle(bundle, { strict: false, verifyIntegrity: true });
  return viewRun(trace, integrity, rules, await ambiguousCalls(trace, pairCalls(trace.events)));
}

/** A trace as it is shown. */
export function viewRun(
  trace: Trace,
  integrity: RunView['integrity'],
  rules: RedactOptions = {},
  ambiguous: ReadonlySet<string> = new Set(),
): RunView {
  const { events, runtime, blobs: _, ...run } = trace;
  const { calls: counts, tokens, errors, redactions, placeholders, tags } = summarizeTrace(trace);
  const redactor = createRedactor(rules);
  const redacted = <T>(value: T): T => redactor.redact(value as Json).value as T;
  const calls = pairCalls(events);
  const nesting = nestingOf(events, calls);
  const streams = streamsOf(calls, runtime, redacted);
  const holes = placeholdersOf(runtime);
  return {
    run: redactedManifest(run, redactor),
    summary: {
      calls: counts,
      tokens,
      errors,
      redactions,
      placeholders,
      ambiguous: ambiguous.size,
      tags: redacted(tags),
    },
    integrity,
    events: events.map((event, position) =>
      viewEvent(redactedEvent(event, redactor), {
        depth: nesting[position] ?? 0,
        placeholders: holes.get(event.id) ?? [],
        ambiguous: ambiguous.has(event.id),
        stream: streams.get(event.id) ?? null,
      }),
    ),
    spans: calls.map(({ position, outcome }) => ({ start: position, end: outcome?.position ?? null })),
  };
}

function placeholdersOf(runtime: Trace['runtime']): ReadonlyMap<string, EventView['placeholders']> {
  const found = new Map<string, { path: string; reason: string }[]>();
  for (const record of runtime) {
    if (record.type !== 'placeholder') continue;
    const { event_id, path, reason } = record;
    const known = found.get(event_id);
    if (known === undefined) found.set(event_id, [{ path, reason }]);
    else known.push({ path, reason });
  }
  return found;
}

/** An event, redacted already, as it is shown. */
function viewEvent(
  event: TraceEvent,
  around: Pick<EventView, 'depth' | 'placeholders' | 'ambiguous' | 'stream'>,
): EventView {
  const { id, run_id: _, parent_id, step, type, timestamp, duration_ms, status, ...rest } = event;
  const { replay_policy, input_hash, output_hash, redactions, ...own } = rest;
  const details = Object.fromEntries(
    Object.entries<Json | undefined>({ ...own })
      .filter((entry): entry is [string, Json] => entry[1] !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const { depth, placeholders, ambiguous, stream } = around;
  const label = labelOf(event);
  const common = { id, step, type, label, status, parent_id, timestamp, duration_ms, depth, details };
  return { ...common, replay_policy, input_hash, output_hash, redactions, placeholders, ambiguous, stream };
}

function labelOf(event: TraceEvent): string {
  switch (event.type) {
    case 'llm_request':
      return event.model;
    case 'llm_response':
      return event.model ?? event.type;
    case 'tool_call':
    case 'tool_result':
      return event.name;
    case 'state_change':
      return event.key ?? event.type;
    case 'error':
      return event.error_type;
    case 'run_start':
      return event.type;
    case 'run_end':
      return event.run_status;
  }
}
