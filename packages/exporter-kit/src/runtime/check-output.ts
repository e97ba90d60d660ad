import type { ReplayReport } from '@stepfork/replay';
import type { Json } from '@stepfork/trace-format';
import { displayText } from '@stepfork/trace-format';
import { comparable } from '../comparable.js';
import { mismatchLine } from '../mismatch.js';
import { redacted } from '../redacted.js';
import type { Check } from './check.js';
import { assertReport, divergenceLine, notJudged } from './check.js';
import { stated } from './stated.js';
import { statedPart } from './stated-part.js';

/**
 * Whether the run came to exactly `expected`: JSON in a recording's own encoding, or the values themselves (a `Date`, a
 * `Map`, `undefined`). Both sides are redacted alike. Where the calls diverged, or the agent threw, there is no output
 * to judge, and the check fails saying so.
 */
export function checkOutput(report: unknown, expected: unknown): Check {
  assertReport(report, 'toHaveOutput');
  return judgeOutput(report, expected, (output) => output);
}

/**
 * The same for a part of the output: of an object only the properties that `expected` has, at every depth; a list item
 * by item, and no longer or shorter than stated.
 */
export function checkMatch(report: unknown, expected: unknown): Check {
  assertReport(report, 'toMatchOutput');
  return judgeOutput(report, expected, statedPart);
}

function judgeOutput(report: ReplayReport, expected: unknown, partOf: (output: Json, expected: Json) => Json): Check {
  const diverged = divergenceLine(report);
  if (diverged !== null) return notJudged(`output not judged, the calls diverged: ${diverged}`);
  if (report.error !== null) {
    return notJudged(displayText(`the agent threw ${report.error.name}: ${report.error.message}`));
  }
  const expectation = stated(expected);
  if ('refused' in expectation) return notJudged(`output not judged, ${expectation.refused}`);
  const wanted = redacted(expectation.json);
  return compare(wanted, partOf(redacted(report.output), wanted));
}

function compare(expected: Json, actual: Json): Check {
  const values = { expected: comparable(expected), actual: comparable(actual) };
  const mismatch = mismatchLine(values.expected, values.actual);
  return mismatch === null
    ? { pass: true, message: 'expected the agent to come to another output than this one' }
    : { pass: false, message: mismatch, values };
}
