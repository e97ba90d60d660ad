import type { RedactOptions } from './options.js';

/** Redaction rules as a project's configuration states them: a pattern may be the source of a regular expression. */
export interface StatedRules {
  readonly ruleset?: RedactOptions['ruleset'] | undefined;
  readonly keys?: RedactOptions['keys'] | undefined;
  readonly pointers?: RedactOptions['pointers'] | undefined;
  readonly patterns?: readonly (RegExp | string)[] | undefined;
  readonly functions?: RedactOptions['functions'] | undefined;
  readonly pii?: RedactOptions['pii'] | undefined;
}

/** The same as a redactor takes them. */
export function redactOptionsOf({ patterns, ...rest }: StatedRules): RedactOptions {
  const expressions = patterns?.map((pattern) => (typeof pattern === 'string' ? new RegExp(pattern, 'u') : pattern));
  const stated = Object.entries({ ...rest, patterns: expressions }).filter(([, rule]) => rule !== undefined);
  return Object.fromEntries(stated) as RedactOptions;
}
