import type { Json } from '@stepfork/trace-format';
import { displayText, encodeValue, isJsonArray, isJsonObject, setKey } from '@stepfork/trace-format';
import { comparable } from '../comparable.js';
import { mismatchLine } from '../mismatch.js';
import { redacted } from '../redacted.js';
import type { Check } from './check.js';
import { assertReport, divergenceLine } from './check.js';

/**
 * Whether the run came to exactly `expected`: JSON in a recording's own encoding, or the values themselves (a `Date`, a
 * `Map`, `undefined`). Both sides are redacted alike. Where the calls diverged, or the agent threw, there is no output
 * to judge, and the check fails saying so.
 */
export function checkOutput(report: unknown, expected: unknown): Check {
  assertReport(report, 'toHaveOutput');
  const diverged = divergenceLine(report);
  if (diverged !== null) return { pass: false, message: `output not judged, the calls diverged: ${diverged}` };
  if (report.error !== null) {
    return { pass: false, message: displayText(`the agent threw ${report.error.name}: ${report.error.message}`) };
  }
  const { json, placeholders } = encodeValue(expected);
  const [lost] = placeholders;
  if (lost !== undefined) {
    const where = displayText(lost.path === '' ? 'the expectation' : `the expectation's ${lost.path}`);
    return { pass: false, message: `output not judged, ${where} cannot be compared (${displayText(lost.reason)})` };
  }
  return compare(written(json), report.output);
}

function compare(expectation: Json, output: Json): Check {
  const values = { expected: comparable(redacted(expectation)), actual: comparable(redacted(output)) };
  const mismatch = mismatchLine(values.expected, values.actual);
  return mismatch === null
    ? { pass: true, message: 'expected the agent to come to another output than this one' }
    : { pass: false, message: mismatch, values };
}

/**
 * Encoding takes a plain object's own `$stepfork` for the user's and escapes it. In an expectation it is the encoding
 * itself, as a recording or a JSON file states a date.
 */
function written(json: Json): Json {
  if (isJsonArray(json)) return json.map(written);
  if (!isJsonObject(json)) return json;
  const object: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(json))
    setKey(object, key.replace(/^\$(?=\$+stepfork$)/, ''), written(value));
  return object;
}
