import * as z from 'zod';
import { text } from './fields.js';

/** redactions.json */
export const redactionsSchema = z.strictObject({
  schema_version: z.literal('0.1'),
  entries: z
    .array(
      z.strictObject({
        event_id: text,
        path: text,
        reason: text,
        replacement: z.literal('[REDACTED]').default('[REDACTED]'),
      }),
    )
    .default(() => []),
});
