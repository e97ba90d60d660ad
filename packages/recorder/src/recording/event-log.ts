import type { ChunkRedactor, Redactor } from '@stepfork/redact';
import {
  type BundleWriter,
  type EncodedValue,
  type EventBase,
  type Finding,
  formatTimestamp,
  isStepforkError,
  type Json,
  type LogPointFields,
  type Manifest,
  newEventId,
  PAYLOAD_FIELDS,
  type PlaceholderRecord,
  type RuntimeRecord,
  type TraceEvent,
} from '@stepfork/trace-format/write';
import type { Named } from '../boundary/describe.js';
import { nowMs } from '../clock.js';
import { Ambiguity } from './ambiguity.js';
import type { KeptReads } from './clock/kept-reads.js';
import { cutForLine, type SetLimits, withinLimit } from './limits.js';
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

/** Which limit of the whole bundle was reached. */
export type Fullness = 'events' | 'bundle_bytes';

/** The events of one run on their way to the disk: placed, redacted, counted. What returned is in the file. */
export class EventLog {
  readonly #runId: string;
  readonly #writer: BundleWriter;
  readonly #redactor: Redactor;
  readonly #limits: SetLimits;
  readonly #onFull: (reason: Fullness, path: string) => void;
  readonly #reads: KeptReads | null;
  readonly #turns = new Turns();
  readonly #ambiguity = new Ambiguity();
  #step = 0;
  #points = 0;
  #costUsd: number | null = null;
  #full: { readonly reason: Fullness; readonly step: number } | null = null;
  #leftOut = 0;

  /**
   * @param reads what the run reads off the clock, where that is kept
   * @param onFull told once, when a limit is reached
   */
  constructor(
    runId: string,
    writer: BundleWriter,
    redactor: Redactor,
    limits: SetLimits,
    reads: KeptReads | null,
    onFull: (reason: Fullness, path: string) => void,
  ) {
    this.#runId = runId;
    this.#writer = writer;
    this.#redactor = redactor;
    this.#limits = limits;
    this.#reads = reads;
    this.#onFull = onFull;
  }

  /** Whether one more call, change of state or error may be recorded. One that may not is counted. */
  admits(): boolean {
    if (this.#full === null) {
      const reason = this.#fullness();
      if (reason === null) return true;
      this.#full = { reason, step: this.#step };
      this.note({ type: 'truncated', ...this.#full });
      this.#onFull(reason, this.#writer.path);
    }
    this.#leftOut++;
    return false;
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
      const kept = withinLimit(captured, this.#limits.payloadBytes);
      lost.push(...this.#redacted(placeholderRecords(id, field, kept)));
      return kept.json;
    });
    this.#noteReads();
    // Numbered only now: capturing a payload may run the agent's code (a getter, a codec), which may record.
    const step = this.#step;
    const event = { ...built, step };
    const written = this.#append(event, lost, redacted);
    this.#step++;
    this.#ambiguity.wrote(written, step, 'input' in event ? event.input : undefined);
    if (event.type === 'llm_response' && event.cost_usd !== null) this.#addCost(event.cost_usd);
    for (const record of lost) this.note(record);
    warnOfPlaceholders(what, lost);
    return { id, step, atMs, turn: this.#turns.now() };
  }

  /** @returns how many bytes the bundle has grown by */
  note(record: RuntimeRecord): number {
    const before = this.#writer.size;
    this.#writer.appendRuntime(record);
    return this.#writer.size - before;
  }

  /** Where the run is, for what happens in it without being an event. */
  point(): LogPointFields {
    this.#noteReads();
    return this.#pointHere();
  }

  #pointHere(): LogPointFields {
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

  /** The most that one payload may take, in bytes. */
  get payloadLimit(): number {
    return this.#limits.payloadBytes;
  }

  /** Notes places, of which a key may hold what a rule takes out. */
  noteMutated(callId: string, paths: readonly string[]): void {
    const { value } = this.#redactor.redact(paths);
    this.note({ type: 'mutated', call_id: callId, paths: value as readonly string[] });
  }

  /**
   * Seals the bundle with what the run came to.
   *
   * @returns where the bundle lies
   */
  finish(manifest: Omit<Manifest, 'totals'>, durationMs: number | null): string {
    for (const record of this.#ambiguity.records()) this.note(record);
    if (this.#full !== null) this.note({ type: 'truncated', ...this.#full, left_out: this.#leftOut });
    return this.#seal(manifest, durationMs);
  }

  /** Throws away what was written: nothing of the run remains. */
  abandon(): void {
    this.#writer.abandon();
  }

  /**
   * Seals what was written as the partial recording that it is, and says so in it as far as it can be written; where
   * even sealing fails, it can be recovered.
   */
  breakOff(manifest: Omit<Manifest, 'totals'>, code: string): string {
    try {
      this.note({ type: 'truncated', reason: 'failure', step: this.#step, code });
    } catch {
      // A bundle without an end says it too.
    }
    try {
      if (!this.#writer.replaces) return this.#seal(manifest, null);
    } catch {
      // It can be recovered.
    }
    try {
      // A bundle that is whole is worth more than one that broke off, whatever was to be overwritten.
      this.#writer.close();
    } catch {
      // What was written is on the disk all the same.
    }
    return this.#writer.workPath;
  }

  /** Writes the event; without its payloads, where with them it is larger than a line may be. */
  #append(event: TraceEvent, lost: PlaceholderRecord[], redacted: readonly Finding[]): TraceEvent {
    try {
      return this.#writer.append(this.#redactor.redactEvent(event, redacted));
    } catch (error) {
      if (!isStepforkError(error, 'event_too_large')) throw error;
    }
    const payloads = PAYLOAD_FIELDS[event.type].map(({ name }) => {
      const captured = cutForLine((event as unknown as { readonly [name: string]: Json })[name] ?? null);
      lost.push(...this.#redacted(placeholderRecords(event.id, name, captured)));
      return [name, captured.json] as const;
    });
    return this.#writer.append(this.#redactor.redactEvent({ ...event, ...Object.fromEntries(payloads) } as TraceEvent));
  }

  /** Places and reasons, of which a key, a class's name or an error's message may hold what a rule takes out. */
  #redacted(records: readonly PlaceholderRecord[]): readonly PlaceholderRecord[] {
    if (records.length === 0) return records;
    const texts = records.map(({ path, reason }) => ({ path, reason }));
    const clean = this.#redactor.redact(texts).value as unknown as typeof texts;
    return records.map((record, index) => ({ ...record, ...clean[index] }));
  }

  /** A sum beyond all numbers says no more than the last that was one. */
  #addCost(costUsd: number): void {
    const sum = (this.#costUsd ?? 0) + costUsd;
    if (Number.isFinite(sum)) this.#costUsd = sum;
  }

  /** What was read off the clock lies before what happens now. */
  #noteReads(): void {
    const reads = this.#reads?.take() ?? [];
    if (reads.length > 0) this.note({ type: 'clock', ...this.#pointHere(), reads });
  }

  #fullness(): Fullness | null {
    if (this.#step >= this.#limits.events) return 'events';
    return this.#writer.size >= this.#limits.bundleBytes ? 'bundle_bytes' : null;
  }

  #seal(manifest: Omit<Manifest, 'totals'>, durationMs: number | null): string {
    // Events and calls are counted by the writer.
    const totals = { events: 0, llm_calls: 0, tool_calls: 0, cost_usd: this.#costUsd, duration_ms: durationMs };
    return this.#writer.finish(this.#redactor.redactManifest({ ...manifest, totals }));
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
