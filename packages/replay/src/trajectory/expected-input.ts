import { createRedactor, type RedactOptions } from '@stepfork/redact';
import {
  encodeValue,
  externalizeBytes,
  isJsonArray,
  isJsonObject,
  type Json,
  setKey,
  toolCallEvent,
} from '@stepfork/trace-format';

/**
 * What an expected tool input looks like in a report: encoded and redacted as the call's own was. A report does not
 * name its rules; where they are not given, they are the default ones or, for a recording of the Python original,
 * those of schema 0.1. Trying both makes no different inputs equal: whatever either of them shows has to be the same.
 *
 * @throws StepforkError `bad_redaction_rule`
 */
export function expectedInput(
  name: string,
  value: unknown,
  redact: RedactOptions | undefined,
): readonly [Json, ...Json[]] {
  const input = asWritten(encodeValue(value).json);
  const under = (rules: RedactOptions): Json => {
    const { event } = createRedactor(rules).redactEvent(toolCallEvent({ name, input }));
    return event.type === 'tool_call' ? externalizeBytes(event.input) : null;
  };
  return redact === undefined ? [under({}), under({ ruleset: '0.1' })] : [under(redact)];
}

/**
 * Encoding takes a plain object's own `$stepfork` for the user's and escapes it. In an expectation it is the encoding
 * itself, as `inspect` shows a date or a JSON file states it.
 */
function asWritten(json: Json): Json {
  if (isJsonArray(json)) return json.map(asWritten);
  if (!isJsonObject(json)) return json;
  const object: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(json)) {
    setKey(object, key.replace(/^\$(?=\$+stepfork$)/, ''), asWritten(value));
  }
  return object;
}
