import { describeThrown, type StreamTaken } from '@stepfork/recorder/boundary';
import { encodeValue, type Json } from '@stepfork/trace-format';

/** What a run came to. */
export type RunOutcome =
  | { readonly type: 'completed'; readonly output: Json; readonly value: unknown; readonly taken?: StreamTaken }
  | {
      readonly type: 'threw';
      readonly error: { readonly name: string; readonly message: string };
      readonly thrown: unknown;
      readonly taken?: StreamTaken;
    }
  | { readonly type: 'stalled' };

/**
 * A returned value as it is at this moment; the agent may change it later.
 *
 * @param taken where the agent answered with a stream: how much of it was read
 */
export function completedWith(value: unknown, taken?: StreamTaken): RunOutcome {
  return { type: 'completed', output: encodeValue(value).json, value, ...(taken && { taken }) };
}

export function threwWith(thrown: unknown, taken?: StreamTaken): RunOutcome {
  const { type, message } = describeThrown(thrown);
  return { type: 'threw', error: { name: type, message }, thrown, ...(taken && { taken }) };
}
