import { types } from 'node:util';
import { displayText } from '@stepfork/trace-format';
import { preview } from '../mismatch.js';
import { redacted } from '../redacted.js';
import type { Check } from './check.js';
import { assertReport, divergenceLine, notJudged } from './check.js';

/**
 * Whether the agent threw an error of this name, its message the given one, or in part, or as a pattern has it. Where
 * the calls diverged, what it threw says nothing, and the check fails saying so.
 */
export function checkThrown(report: unknown, type: string, message?: string | RegExp): Check {
  assertReport(report, 'toHaveThrown');
  const diverged = divergenceLine(report);
  if (diverged !== null) return notJudged(`error not judged, the calls diverged: ${diverged}`);
  const wanted = `expected the agent to throw ${displayText(type)}${saying(message)}`;
  const { error, output } = report;
  if (error === null) return { pass: false, message: `${wanted}, but it returned ${preview(redacted(output))}` };
  const thrown = displayText(`${error.name}: ${error.message}`);
  return error.name === type && isSaid(error.message, message)
    ? { pass: true, message: `expected the agent not to throw ${thrown}` }
    : { pass: false, message: `${wanted}, but it threw ${thrown}` };
}

function saying(message: string | RegExp | undefined): string {
  if (message === undefined) return '';
  return types.isRegExp(message)
    ? ` with a message like ${displayText(String(message))}`
    : ` with ${preview(redacted(message))} in its message`;
}

/** Redacted, as the run's own message is; a pattern is looked for in what is left of it. */
function isSaid(said: string, message: string | RegExp | undefined): boolean {
  if (message === undefined) return true;
  // A pattern of its own: one that is global remembers where it left off.
  if (types.isRegExp(message)) return new RegExp(message.source, message.flags.replace(/[gy]/g, '')).test(said);
  return said.includes(String(redacted(message)));
}
