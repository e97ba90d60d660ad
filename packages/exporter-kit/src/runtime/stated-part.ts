import { isJsonArray, isJsonObject, type Json, setKey, TAG_KEY } from '@stepfork/trace-format';

/**
 * What of an output an expectation speaks of: of an object the properties that it states, of a list each item's part.
 * Dates, maps and the like are whole values, and so is what differs in kind.
 */
export function statedPart(output: Json, expected: Json): Json {
  if (isJsonArray(output) && isJsonArray(expected)) {
    return output.map((item, index) => (index < expected.length ? statedPart(item, expected[index] as Json) : item));
  }
  if (!isRecord(output) || !isRecord(expected)) return output;
  const part: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(output)) {
    if (Object.hasOwn(expected, key)) setKey(part, key, statedPart(value, expected[key] as Json));
  }
  return part;
}

function isRecord(json: Json): json is { readonly [key: string]: Json } {
  return isJsonObject(json) && !Object.hasOwn(json, TAG_KEY);
}
