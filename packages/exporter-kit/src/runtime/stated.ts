import type { Json } from '@stepfork/trace-format';
import { displayText, encodeValue, isJsonArray, isJsonObject, setKey } from '@stepfork/trace-format';

/** An expectation as JSON in a recording's own encoding, or why it cannot be compared. */
export type Stated = { readonly json: Json } | { readonly refused: string };

/** Reads what a test expects: such JSON, or the values themselves (a `Date`, a `Map`, `undefined`). */
export function stated(expected: unknown): Stated {
  const { json, placeholders } = encodeValue(expected);
  const [lost] = placeholders;
  if (lost === undefined) return { json: written(json) };
  const where = displayText(lost.path === '' ? 'the expectation' : `the expectation's ${lost.path}`);
  return { refused: `${where} cannot be compared (${displayText(lost.reason)})` };
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
