import { createRedactor, type RedactOptions } from '@stepfork/redact';
import type { Trace } from '@stepfork/trace-format';
import type { ProjectConfig } from './project-config.js';

/** The project's own redaction rules; null where it has none. */
export function redactionOf({ settings }: ProjectConfig): RedactOptions | null {
  const { redact } = settings;
  if (redact === undefined) return null;
  const { patterns, ...rest } = redact;
  const rules = patterns?.map((pattern) => (typeof pattern === 'string' ? new RegExp(pattern, 'u') : pattern));
  const given = Object.fromEntries(
    Object.entries({ ...rest, patterns: rules }).filter(([, rule]) => rule !== undefined),
  );
  return given as RedactOptions;
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
