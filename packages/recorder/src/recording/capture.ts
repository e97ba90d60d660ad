import { type EncodedValue, encodeValue } from '@stepfork/trace-format/write';
import { answerOf } from '../boundary/callback.js';
import type { Codec } from '../boundary/handler.js';
import { streamKind } from '../boundary/stream/stream-kind.js';
import { describeThrown } from '../boundary/thrown.js';

/** What a function returned or a stream gave, as it was at this moment, through its codec where it has one. */
export function captureResult(value: unknown, codec: Codec | null): EncodedValue {
  if (codec !== null) return captureByCodec(value, codec);
  const kind = kindOf(value);
  return kind === null ? encodeValue(value) : placeholder(kind, `a stream (${kind}) that cannot be watched`);
}

/** An object so odd that it cannot be looked at is no stream. */
function kindOf(value: unknown): ReturnType<typeof streamKind> {
  try {
    return streamKind(value);
  } catch {
    return null;
  }
}

function captureByCodec(value: unknown, codec: Codec): EncodedValue {
  let encoded: unknown;
  try {
    encoded = answerOf(codec.encode(value));
  } catch (error) {
    // Recording the raw value instead would hand a replay's `decode` what `encode` never made.
    return placeholder('codec', `its codec threw ${describeThrown(error).message}`);
  }
  return encodeValue(encoded);
}

function placeholder(kind: string, reason: string): EncodedValue {
  return { json: { $stepfork: 'instance', class: kind, fields: {} }, placeholders: [{ path: '', reason }] };
}
