import { isJsonArray, isJsonObject } from '../json/object.js';
import type { Json } from '../json.js';
import { STREAM_KINDS, type StreamKind } from '../runtime.js';
import { STREAM_TAG, tagOf } from './tags.js';

/** What a streaming call gave, as its outcome's `output` says it. */
export interface StreamValue {
  readonly kind: StreamKind;
  /** `cancelled`: the consumer stopped before the stream's own end. */
  readonly end: 'complete' | 'cancelled';
  /** Each chunk that the consumer was given, encoded and redacted. */
  readonly chunks: readonly Json[];
  /** A generator's return value, encoded; absent for undefined. */
  readonly returned?: Json;
  /** What the consumer of a generator sent by the `next` that brought its end, encoded; absent for nothing. */
  readonly sent?: Json;
}

/** The recorded stream that a value is, or null for any other value. */
export function streamOf(json: Json): StreamValue | null {
  if (!isJsonObject(json) || tagOf(json) !== STREAM_TAG) return null;
  const { kind, end, chunks, returned, sent } = json;
  if (!isStreamKind(kind) || (end !== 'complete' && end !== 'cancelled') || !isJsonArray(chunks)) return null;
  return {
    kind,
    end,
    chunks,
    ...(Object.hasOwn(json, 'returned') ? { returned: returned as Json } : {}),
    ...(Object.hasOwn(json, 'sent') ? { sent: sent as Json } : {}),
  };
}

function isStreamKind(kind: Json | undefined): kind is StreamKind {
  return (STREAM_KINDS as readonly unknown[]).includes(kind);
}
