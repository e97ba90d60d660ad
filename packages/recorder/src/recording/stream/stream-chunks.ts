import type { ChunkRedactor, RedactedChunk } from '@stepfork/redact';
import {
  type ActFields,
  type EncodedValue,
  type Finding,
  isStepforkError,
  type Json,
  type LogPointFields,
  type Placeholder,
} from '@stepfork/trace-format/write';
import type { EventLog } from '../event-log.js';
import { bytesBeyond, cutAt } from '../limits.js';

/** Where a chunk was delivered, and how it was asked for. */
export type Delivery = LogPointFields & ActFields;

/**
 * The chunks of one stream on their way to the runtime file: each is written when it is delivered, but for those that
 * the redactor holds back, because a secret may begin at their end.
 */
export class StreamChunks {
  readonly #callId: string;
  readonly #redactor: ChunkRedactor;
  /** Of those that are not written yet, by index. */
  readonly #deliveries = new Map<number, Delivery>();
  readonly #written: Json[] = [];
  readonly #findings: Finding[] = [];
  readonly #placeholders: Placeholder[] = [];
  #count = 0;
  #bytes = 0;
  #cut: EncodedValue | null = null;

  constructor(callId: string, log: EventLog) {
    this.#callId = callId;
    this.#redactor = log.openChunks();
  }

  deliver(log: EventLog, { json, placeholders }: EncodedValue, delivery: Delivery): void {
    if (this.#cut !== null || this.#isFull(log, json)) return;
    const index = this.#count++;
    this.#deliveries.set(index, delivery);
    for (const { path, reason } of placeholders) this.#placeholders.push({ path: `/chunks/${index}${path}`, reason });
    this.#write(log, this.#redactor.add(json));
  }

  /** No more will come: those that were held back are written. */
  end(log: EventLog): void {
    this.#write(log, this.#redactor.end());
  }

  /** All chunks, redacted, and what could not be captured of them. */
  get all(): { readonly values: readonly Json[]; readonly placeholders: readonly Placeholder[] } {
    return { values: this.#written, placeholders: this.#placeholders };
  }

  /** What was redacted, by the places that the chunks have in the call's outcome. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  get count(): number {
    return this.#count;
  }

  /** What stands in the place of all chunks, where they came to more than a limit; null where they did not. */
  get cut(): EncodedValue | null {
    return this.#cut;
  }

  /**
   * Whether a limit is reached, by the chunks that were written and the next one. From then on no chunk is recorded,
   * and those that were do not answer a replay.
   */
  #isFull(log: EventLog, next: Json): boolean {
    const left = log.payloadLimit - this.#bytes;
    const bytes = bytesBeyond(next, left);
    if (bytes > left) this.#cut = cutAt(this.#bytes + bytes, 'limits.payloadBytes');
    else if (!log.admits()) this.#cut = cutAt(this.#bytes, 'a limit of the whole bundle');
    if (this.#cut === null) return false;
    this.#forget();
    return true;
  }

  #write(log: EventLog, released: readonly RedactedChunk[]): void {
    for (const { index, value, findings } of released) {
      const delivery = this.#deliveries.get(index);
      if (delivery === undefined) continue;
      this.#deliveries.delete(index);
      this.#written[index] = value;
      for (const { path, reason } of findings) {
        this.#findings.push({ path: `/output/chunks/${index}${path}`, reason });
      }
      const record = { type: 'chunk', call_id: this.#callId, index, data: value, ...delivery } as const;
      try {
        this.#bytes += log.note(record);
      } catch (error) {
        if (!isStepforkError(error, 'record_too_large')) throw error;
        // By what redaction has put in. Those that wait come after it: none of them may be written.
        this.#cut = cutAt(this.#bytes, 'one line of a bundle');
        this.#deliveries.clear();
        this.#forget();
        return;
      }
    }
  }

  #forget(): void {
    this.#written.length = 0;
  }
}
