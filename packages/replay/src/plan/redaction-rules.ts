import { createRedactor, type RedactOptions } from '@stepfork/redact';
import type { Trace } from '@stepfork/trace-format';

/** Rules under which a live input compares with the recorded one, and whether they are known to be the recorder's. */
export interface MatchingRules {
  readonly rules: RedactOptions;
  readonly foreign: boolean;
}

/**
 * A recording names its ruleset; one that does not is the Python original's, whose rules are those of schema 0.1.
 * Stronger rules than the recorder's would make inputs equal that the recording still tells apart.
 */
export function matchingRules(trace: Trace, given: RedactOptions | undefined): MatchingRules {
  const header = trace.runtime.find((record) => record.type === 'runtime');
  if (header === undefined) return { rules: given ?? { ruleset: '0.1' }, foreign: false };
  const rules = given ?? rulesNamed(header.redaction.ruleset);
  const known =
    header.redaction.ruleset === 'none' || createRedactor(rules).fingerprint === header.redaction.fingerprint;
  return { rules, foreign: !known };
}

function rulesNamed(ruleset: string): RedactOptions {
  return ruleset === '0.1' ? { ruleset: '0.1' } : {};
}
