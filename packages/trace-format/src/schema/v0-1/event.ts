import * as z from 'zod';
import { newEventId, newRunId, timestampNow } from '../../clock.js';
import { EVENT_STATUSES, type EventStatus, REPLAY_POLICIES, RUN_STATUSES } from '../../event.js';
import { amount, anyText, count, optionalPayload, orNull, payload, text, timestamp } from './fields.js';

function base(status: EventStatus) {
  return {
    id: text.default(newEventId),
    run_id: text.default(newRunId),
    parent_id: orNull(text).default(null),
    step: count.default(0),
    timestamp: timestamp.default(timestampNow),
    duration_ms: orNull(count).default(null),
    status: z.enum(EVENT_STATUSES).default(status),
    replay_policy: z.enum(REPLAY_POLICIES).default('frozen'),
    input_hash: orNull(anyText).default(null),
    output_hash: orNull(anyText).default(null),
    redactions: z.array(anyText).default(() => []),
  };
}

const optionalText = orNull(text).default(null);
const tokens = orNull(count).default(null);

/** One line of events.jsonl. */
export const eventSchema = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ ...base('ok'), type: z.literal('run_start'), input: optionalPayload }),
    z.strictObject({
      ...base('ok'),
      type: z.literal('llm_request'),
      provider: optionalText,
      model: text,
      input: payload,
    }),
    z.strictObject({
      ...base('ok'),
      type: z.literal('llm_response'),
      model: optionalText,
      output: payload,
      prompt_tokens: tokens,
      completion_tokens: tokens,
      total_tokens: tokens,
      cost_usd: orNull(amount).default(null),
    }),
    z.strictObject({ ...base('ok'), type: z.literal('tool_call'), name: text, input: payload }),
    z.strictObject({ ...base('ok'), type: z.literal('tool_result'), name: text, output: payload }),
    z.strictObject({
      ...base('ok'),
      type: z.literal('state_change'),
      key: optionalText,
      before: optionalPayload,
      after: optionalPayload,
    }),
    z.strictObject({
      ...base('error'),
      type: z.literal('error'),
      error_type: text,
      message: text,
      details: optionalPayload,
    }),
    z.strictObject({
      ...base('ok'),
      type: z.literal('run_end'),
      run_status: z.enum(RUN_STATUSES),
      output: optionalPayload,
    }),
  ],
  { error: 'unknown event type' },
);
