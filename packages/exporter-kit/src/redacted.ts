import { createRedactor } from '@stepfork/redact';
import type { Json } from '@stepfork/trace-format';

/**
 * A value without what the default rules take for a secret. A redactor of its own each time: one remembers what it
 * found, and would then treat the second of two values otherwise than the first.
 */
export function redacted(value: Json): Json {
  return createRedactor().redact(value).value;
}
