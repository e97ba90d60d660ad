import type { Json, JsonObject } from '../json.js';
import { mapRepeats } from './reference.js';

/** Items that a reader of lines may yet put in the place of what is repeated, whatever the lines say. */
export interface Room {
  items: number;
}

/** Of one list. */
const MOST_AT_ONCE = 1_000_000;

/** For one bundle. */
export function createRoom(): Room {
  return { items: 20_000_000 };
}

/**
 * A line of events.jsonl as a value of which every part lies where it is in the whole event, null standing for what an
 * earlier line says: for whoever looks at what a file holds, once.
 */
export function newInLine(line: JsonObject, room: Room): JsonObject {
  const { input, type } = line;
  if (input === undefined || (type !== 'llm_request' && type !== 'tool_call')) return line;
  const fresh = mapRepeats(input, ({ length, added }) => {
    if (length === null) return null;
    const count = Math.min(length, room.items, MOST_AT_ONCE);
    room.items -= count;
    const before: Json[] = new Array<null>(count).fill(null);
    return before.concat(added);
  });
  return fresh === input ? line : { ...line, input: fresh };
}
