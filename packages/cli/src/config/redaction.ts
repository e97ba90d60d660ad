import { createRedactor, type RedactOptions, redactOptionsOf } from '@stepfork/redact';
import type { Trace } from '@stepfork/trace-format';
import type { ProjectConfig } from './project-config.js';

/** The project's own redaction rules; null where it has none. */
export function redactionOf({ settings }: ProjectConfig): RedactOptions | null {
  return settings.redact === undefined ? null : redactOptionsOf(settings.redact);
}

/**
 * The project's rules where a run was recorded under them; null for one of before they were made, or of elsewhere. Under
 * other rules than its own a recording's inputs do not compare.
 */
export function recordedUnder({ runtime }: Trace, project: ProjectConfig): RedactOptions | null {
  const rules = redactionOf(project);
  const header = runtime.find((record) => record.type === 'runtime');
  return rules !== null && createRedactor(rules).fingerprint === header?.redaction.fingerprint ? rules : null;
}
