import type { Json } from '@stepfork/trace-format';
import { isJsonArray, isJsonObject, setKey } from '@stepfork/trace-format';

/**
 * Encoded JSON as outputs are compared: a property whose value is `undefined` is no property. (Tests state what came
 * back, and no JSON file can state that a property is there and undefined.) Array items keep their `undefined`.
 */
export function comparable(json: Json): Json {
  if (isJsonArray(json)) return json.map(comparable);
  if (!isJsonObject(json)) return json;
  const kept: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(json)) {
    if (!isUndefined(value)) setKey(kept, key, comparable(value));
  }
  return kept;
}

/** The encoded form of `undefined`. */
export function isUndefined(json: Json): boolean {
  return isJsonObject(json) && json.$stepfork === 'undefined' && Object.keys(json).length === 1;
}
