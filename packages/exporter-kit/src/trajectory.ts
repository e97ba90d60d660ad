import { parseExpectation } from '@stepfork/replay';
import { isJsonArray, isJsonObject, type Json, type JsonObject, setKey } from '@stepfork/trace-format';
import { redacted } from './redacted.js';

/**
 * A trajectory expectation without secrets in what it expects of arguments. Its other parts are names and numbers,
 * among them keys (`password_reset: 1`) that a redactor would take for something else.
 *
 * @throws StepforkError `bad_expectation`, naming the place, for what is none
 */
export function redactedTrajectory(trajectory: Json): JsonObject {
  parseExpectation(trajectory, undefined);
  return mapped(trajectory, 'arguments', (list) =>
    isJsonArray(list) ? list.map((item) => mapped(item, 'value', redacted)) : list,
  );
}

/** The object, one of its values replaced. */
function mapped(object: Json, name: string, change: (value: Json) => Json): JsonObject {
  const made: { [key: string]: Json } = {};
  for (const [key, value] of isJsonObject(object) ? Object.entries(object) : []) {
    setKey(made, key, key === name ? change(value) : value);
  }
  return made;
}
