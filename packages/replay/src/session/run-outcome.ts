import { describeThrown } from '@stepfork/recorder/boundary';
import { encodeValue, type Json } from '@stepfork/trace-format';

/** What a run came to. */
export type RunOutcome =
  | { readonly type: 'completed'; readonly output: Json; readonly value: unknown }
  | {
      readonly type: 'threw';
      readonly error: { readonly name: string; readonly message: string };
      readonly thrown: unknown;
    }
  | { readonly type: 'stalled' };

/** A returned value as it is at this moment; the agent may change it later. */
export function completedWith(value: unknown): RunOutcome {
  return { type: 'completed', output: encodeValue(value).json, value };
}

export function threwWith(thrown: unknown): RunOutcome {
  const { type, message } = describeThrown(thrown);
  return { type: 'threw', error: { name: type, message }, thrown };
}
