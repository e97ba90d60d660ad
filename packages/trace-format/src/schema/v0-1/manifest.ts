import * as z from 'zod';
import { RUN_STATUSES } from '../../event.js';
import { amount, anyText, count, orNull, text, timestamp } from './fields.js';

const optionalText = orNull(anyText).default(null);

const environment = z.strictObject({ python: optionalText, os: optionalText, stepfork_version: optionalText });

const totals = z.strictObject({
  events: count.default(0),
  llm_calls: count.default(0),
  tool_calls: count.default(0),
  cost_usd: orNull(amount).default(null),
  duration_ms: orNull(count).default(null),
});

/** manifest.json */
export const manifestSchema = z
  .strictObject({
    format: z.literal('stepfork').default('stepfork'),
    schema_version: z.literal('0.1'),
    run_id: text,
    agent_name: text,
    created_at: timestamp,
    status: z.enum(RUN_STATUSES),
    failure: orNull(z.strictObject({ type: text, message: text, step: count })).default(null),
    environment: environment.default(() => environment.parse({})),
    totals: totals.default(() => totals.parse({})),
  })
  .refine((manifest) => (manifest.status === 'failed') === (manifest.failure !== null), {
    path: ['failure'],
    error: 'must be present exactly when the status is failed',
  });
