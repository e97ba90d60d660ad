import { type Json, type JsonObject, streamOf, type TraceEvent } from '@stepfork/trace-format/write';
import { ChunkPass } from '../chunks/chunk-pass.js';
import type { SecretMemory } from '../memory/memory.js';
import { recordedChunk } from './recorded-chunks.js';
import { scrubRules } from './scrub-rules.js';

/**
 * What is to stand in the chunk records of a bundle: for a stream that ended, what the event of its end says; for one
 * that did not, what is left of its records when they are looked at together.
 */
export class ScrubbedChunks {
  /** By call: its chunks, or null where the event of its end did not change. */
  readonly #ofEnds = new Map<string, readonly Json[] | null>();
  /** By call: those that changed, by their number among its records. */
  readonly #ofRecords = new Map<string, ReadonlyMap<number, Json>>();
  readonly #met = new Map<string, number>();

  /** An event, as it was and as it is written. */
  noteEvent(before: TraceEvent, after: TraceEvent): void {
    const from = streamIn(before);
    if (from === null || before.parent_id === null) return;
    const to = streamIn(after);
    this.#ofEnds.set(before.parent_id, to === null || to === from ? null : to);
  }

  /** Looks at the records of streams of which no event tells. */
  gather(records: Iterable<JsonObject>, memory: SecretMemory): void {
    const passes = new Map<string, ChunkPass>();
    for (const record of records) {
      const chunk = recordedChunk(record);
      if (chunk === null || this.#ofEnds.has(chunk.callId)) continue;
      const pass = passes.get(chunk.callId) ?? new ChunkPass(scrubRules(null), memory, true);
      passes.set(chunk.callId, pass);
      pass.add(chunk.data);
    }
    for (const [callId, pass] of passes) {
      const changed = pass.end().filter(({ found }) => found.length > 0);
      this.#ofRecords.set(callId, new Map(changed.map(({ index, value }) => [index, value])));
    }
  }

  /** What is to stand in a record instead of its data; undefined for what it says itself. Asked for each in turn. */
  dataFor(record: JsonObject): Json | undefined {
    const chunk = recordedChunk(record);
    if (chunk === null) return undefined;
    const number = this.#met.get(chunk.callId) ?? 0;
    this.#met.set(chunk.callId, number + 1);
    const { index } = record;
    const ofEnd = typeof index === 'number' ? this.#ofEnds.get(chunk.callId)?.[index] : undefined;
    return ofEnd ?? this.#ofRecords.get(chunk.callId)?.get(number);
  }
}

function streamIn(event: TraceEvent): readonly Json[] | null {
  return 'output' in event ? (streamOf(event.output)?.chunks ?? null) : null;
}
