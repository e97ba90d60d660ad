import type { ChunkRedactor, Redactor } from '@stepfork/redact';
import {
  type BundleWriter,
  type EncodedValue,
  type EventBase,
  type Finding,
  formatTimestamp,
  type Json,
  type LogPointFields,
  type Manifest,
  newEventId,
  type PlaceholderRecord,
  type RuntimeRecord,
  type TraceEvent,
} from '@stepfork/trace-format/write';
import type { Named } from '../boundary/describe.js';
import { nowMs } from '../clock.js';
import { placeholderRecords, warnOfPlaceholders } from './placeholders.js';
import { Turns } from './turns.js';

/** Notes what of a payload could not be captured, and gives the payload. */
export type Keep = (field: string, captured: EncodedValue) => Json;

/** An event as it was written. */
export interface Written {
  readonly id: string;
  readonly step: number;
  /** Its timestamp, in milliseconds since the epoch. */
  readonly atMs: number;
  /** In which turn of the event loop. */
  readonly turn: number;
}

/** The events of one run on their way to the disk: placed, redacted, counted. What returned is in the file. */
export class EventLog {
  readonly #runId: string;
  readonly #writer: BundleWriter;
  readonly #redactor: Redactor;
  readonly #turns = new Turns();
  #step = 0;
  #points = 0;
  #costUsd: number | null = null;

  constructor(runId: string, writer: BundleWriter, redactor: Redactor) {
    this.#runId = runId;
    this.#writer = writer;
    this.#redactor = redactor;
  }

  /**
   * @param what whose payload it is, for the warning about what cannot be recorded of it
   * @param redacted what was redacted in it before; paths from the event's root
   */
  record(
    what: Named,
    parent: string | null,
    build: (base: EventBase, keep: Keep) => TraceEvent,
    redacted: readonly Finding[] = [],
  ): Written {
    const lost: PlaceholderRecord[] = [];
    const id = newEventId();
    const atMs = nowMs();
    const built = build(placed(id, this.#runId, atMs, parent), (field, captured) => {
      lost.push(...placeholderRecords(id, field, captured));
      return captured.json;
    });
    // Numbered only now: capturing a payload may run the agent's code (a getter, a codec), which may record.
    const step = this.#step;
    const event = { ...built, step };
    this.#writer.append(this.#redactor.redactEvent(event, redacted));
    this.#step++;
    if (event.type === 'llm_response' && event.cost_usd !== null) this.#costUsd = (this.#costUsd ?? 0) + event.cost_usd;
    for (const record of lost) this.note(record);
    warnOfPlaceholders(what, lost);
    return { id, step, atMs, turn: this.#turns.now() };
  }

  note(record: RuntimeRecord): void {
    this.#writer.appendRuntime(record);
  }

  /** Where the run is, for what happens in it without being an event. */
  point(): LogPointFields {
    return { step: this.#step, order: this.#points++, at_ms: nowMs(), turn: this.#turns.now() };
  }

  /** What of a value may be noted. */
  redact(value: Json): Json {
    return this.#redactor.redact(value).value;
  }

  /** For the chunks of one stream. */
  openChunks(): ChunkRedactor {
    return this.#redactor.openChunks();
  }

  /**
   * Seals the bundle with what the run came to; a run that is still `running` is one whose recording broke off.
   *
   * @returns where the bundle lies
   */
  finish(manifest: Omit<Manifest, 'totals'>, durationMs: number | null): string {
    // Events and calls are counted by the writer.
    const totals = { events: 0, llm_calls: 0, tool_calls: 0, cost_usd: this.#costUsd, duration_ms: durationMs };
    return this.#writer.finish(this.#redactor.redactManifest({ ...manifest, totals }));
  }

  /** Seals what was written as the partial recording that it is; where even that fails, it can be recovered. */
  breakOff(manifest: Omit<Manifest, 'totals'>): string {
    try {
      return this.finish(manifest, null);
    } catch {
      return this.#writer.workPath;
    }
  }
}

/** What every event carries, before it is known how it differs from others. */
function placed(id: string, runId: string, atMs: number, parent: string | null): EventBase {
  return {
    id,
    run_id: runId,
    parent_id: parent,
    step: 0,
    timestamp: formatTimestamp(atMs),
    duration_ms: null,
    status: 'ok',
    replay_policy: 'frozen',
    input_hash: null,
    output_hash: null,
    redactions: [],
  };
}
