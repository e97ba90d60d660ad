import { type Json, type RecordedCall, type RuntimeRecord, streamOf } from '@stepfork/trace-format';
import { streamText } from './stream-text.js';

/** What a call that gave a stream came to, as it is shown. */
export interface StreamView {
  /** What kind of object it was: `async-generator`, `web`, … */
  readonly kind: string;
  /** Chunks that the consumer was given. */
  readonly chunks: number;
  /** `open`: it was not read to its end before the run ended or its process died. */
  readonly end: 'complete' | 'cancelled' | 'failed' | 'open';
  /** The text that its chunks make, where they make one. */
  readonly text: string | null;
}

/**
 * The streams of a run by the id of the event that tells of them: the call's outcome, or the call itself where there is
 * none. Chunks come from the outcome, or from runtime.jsonl for a stream that had no good end.
 */
export function streamsOf(
  calls: readonly RecordedCall[],
  runtime: readonly RuntimeRecord[],
  redact: <T extends Json>(value: T) => T,
): ReadonlyMap<string, StreamView> {
  const kinds = new Map<string, string>();
  const chunks = new Map<string, Json[]>();
  for (const record of runtime) {
    if (record.type === 'stream') kinds.set(record.call_id, record.kind);
    if (record.type !== 'chunk') continue;
    const given = chunks.get(record.call_id);
    if (given === undefined) chunks.set(record.call_id, [record.data]);
    else given.push(record.data);
  }
  const views = new Map<string, StreamView>();
  for (const { event, outcome } of calls) {
    const whole = outcome?.type === 'returned' ? streamOf(outcome.output) : null;
    const kind = whole?.kind ?? kinds.get(event.id);
    if (kind === undefined) continue;
    const given = whole?.chunks ?? chunks.get(event.id) ?? [];
    const end = whole?.end ?? (outcome === null ? 'open' : 'failed');
    // Redacted as a whole: a secret may begin in one chunk and end in another.
    const text = redact(streamText(given));
    views.set(outcome?.event.id ?? event.id, { kind, chunks: given.length, end, text });
  }
  return views;
}
