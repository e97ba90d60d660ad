import * as z from 'zod';

/** integrity.json. Each digest is checked by itself, so that a fault can be named by its file. */
export const integritySchema = z.strictObject({
  schema_version: z.literal('0.1').default('0.1'),
  algorithm: z.string().default('sha256'),
  files: z.record(z.string(), z.unknown()).default(() => ({})),
});
