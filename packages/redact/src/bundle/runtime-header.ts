import type { JsonObject, Manifest } from '@stepfork/trace-format/write';
import { createRedactor } from '../redactor.js';

/**
 * The header of a runtime.jsonl for a bundle that had none: the Python original's, or one built by hand. It says what
 * readers take for granted without one: nothing was noted of calls, and the rules were those of schema 0.1.
 */
export function runtimeHeaderFor({ created_at, environment }: Manifest): JsonObject {
  const { ruleset, fingerprint } = createRedactor({ ruleset: '0.1' });
  return {
    type: 'runtime',
    schema: 'stepfork-runtime/1',
    language: environment.python === null ? 'unknown' : 'python',
    language_version: environment.python ?? 'unknown',
    recorder_version: 'none',
    started_at_ms: Date.parse(created_at),
    time_zone: 'UTC',
    tags: {},
    redaction: { ruleset, fingerprint },
  };
}
