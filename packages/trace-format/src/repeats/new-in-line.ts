import { isJsonObject } from '../json/object.js';
import type { Json, JsonObject } from '../json.js';
import { mapRepeats } from './reference.js';

/** A list that is to be made in memory has no more items than this, whatever a line says. */
const MOST_ITEMS = 1_000_000;

/**
 * A line of events.jsonl as a value of which every part lies where it is in the whole event, null standing for what an
 * earlier line says: for whoever looks at what a file holds, once.
 */
export function newInLine(line: JsonObject): JsonObject {
  const { input, type } = line;
  if (input === undefined || (type !== 'llm_request' && type !== 'tool_call') || !isJsonObject(input)) return line;
  const fresh = mapRepeats(input, ({ length, added }) => {
    if (length === null) return null;
    const before: Json[] = new Array<null>(Math.min(length, MOST_ITEMS)).fill(null);
    return before.concat(added);
  });
  return fresh === input ? line : { ...line, input: fresh };
}
