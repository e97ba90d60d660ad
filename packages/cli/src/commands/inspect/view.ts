import { createRedactor, type RedactOptions, type Redactor } from '@stepfork/redact';
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
import { NovelParts } from './novel-parts.js';
import { type Piece, pieceOf, withoutEnd } from './preview.js';
import { type StreamView, streamsOf } from './streams.js';

/** What every event has, as it is shown: redacted by today's rules, whatever the rules were when it was recorded. */
export interface EventHead {
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

/** One event in full. */
export interface EventView extends EventHead {
  /** What is particular to its type: payloads, provider, tokens, message. */
  readonly details: JsonObject;
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
  readonly events: readonly EventHead[];
  /** Its calls, as positions among the events. */
  readonly spans: readonly Span[];
  /** One of its events with all that it holds. Made anew each time: together they may be more than memory holds. */
  readonly inFull: (event: EventHead) => EventView;
  /** The same with as much of each payload as a line of so many characters shows. */
  readonly inShort: (event: EventHead, width: number) => EventView;
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
  const holes = placeholdersOf(runtime);
  // A secret is hidden wherever it stands, also where another event is what tells that it is one. So all events are
  // looked at before one is shown, but each only for what is new in it.
  const novel = new NovelParts();
  const learned = events.map((event) => redactedEvent(novel.of(event), redactor));
  const streams = streamsOf(calls, runtime, redacted);
  const around = (event: TraceEvent, position: number): Around => ({
    depth: nesting[position] ?? 0,
    placeholders: holes.get(event.id) ?? [],
    ambiguous: ambiguous.has(event.id),
    stream: streams.get(event.id) ?? null,
  });
  const heads = learned.map((event, position): EventHead => {
    const { details: _, ...head } = viewEvent(event, around(events[position] ?? event, position));
    return head;
  });
  const positions = new Map(heads.map((head, position) => [head, position]));
  const inFull = (head: EventHead): EventView => {
    const position = positions.get(head) ?? -1;
    const event = events[position] as TraceEvent;
    return viewEvent(redactedEvent(event, redactor), around(event, position));
  };
  const inShort = (head: EventHead, width: number): EventView => {
    const event = events[positions.get(head) ?? -1];
    return event === undefined || judgesWhole(rules)
      ? inFull(head)
      : { ...head, details: detailsOf(redactedPiece(event, width, redactor)) };
  };
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
    events: heads,
    spans: calls.map(({ position, outcome }) => ({ start: position, end: outcome?.position ?? null })),
    inFull,
    inShort,
  };
}

/** A rule of a person's own may tell a value by its end. */
const judgesWhole = ({ functions = [], patterns = [] }: RedactOptions): boolean =>
  functions.length + patterns.length > 0;

function redactedPiece(event: TraceEvent, width: number, redactor: Redactor): TraceEvent {
  const pieces = new Map<string, Piece>();
  for (const [name, value] of Object.entries(event) as [string, Json | undefined][]) {
    if (value !== undefined) pieces.set(name, pieceOf(value, width));
  }
  const piece = Object.fromEntries([...pieces].map(([name, { value }]) => [name, value])) as unknown as TraceEvent;
  const redacted = Object.entries(redactedEvent(piece, redactor)) as [string, Json][];
  const shown = redacted.map(([name, value]) => [name, withoutEnd(value, pieces.get(name)?.cut ?? null)]);
  return Object.fromEntries(shown) as unknown as TraceEvent;
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

type Around = Pick<EventHead, 'depth' | 'placeholders' | 'ambiguous' | 'stream'>;

/** An event, redacted already, as it is shown. */
function viewEvent(event: TraceEvent, around: Around): EventView {
  const { id, parent_id, step, type, timestamp, duration_ms, status } = event;
  const { replay_policy, input_hash, output_hash, redactions } = event;
  const { depth, placeholders, ambiguous, stream } = around;
  const [label, details] = [labelOf(event), detailsOf(event)];
  const common = { id, step, type, label, status, parent_id, timestamp, duration_ms, depth, details };
  return { ...common, replay_policy, input_hash, output_hash, redactions, placeholders, ambiguous, stream };
}

/** What an event holds beside what every event has. */
function detailsOf(event: TraceEvent): JsonObject {
  const { id: _id, run_id: _run, parent_id: _parent, step: _step, type: _type, timestamp: _time, ...rest } = event;
  const { duration_ms: _took, status: _status, replay_policy: _policy, redactions: _redactions, ...named } = rest;
  const { input_hash: _input, output_hash: _output, ...own } = named;
  return Object.fromEntries(
    Object.entries<Json | undefined>({ ...own })
      .filter((entry): entry is [string, Json] => entry[1] !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
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
