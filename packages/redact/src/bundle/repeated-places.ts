import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type PathSegment,
  tagOf,
  toPointer,
} from '@stepfork/trace-format/write';

/** Tells of a place in the input of an event whether something stands there that an earlier line says. */
export type IsRepeated = (pointer: string) => boolean;

/**
 * Where null stands in an input for what is repeated: a function must not be asked about that, since no value of the agent's
 * is there. It is asked about the value itself in the line that says it.
 *
 * @param line as it is written
 * @param fresh the same with null in those places
 */
export function repeatedPlaces({ input: written }: JsonObject, { input: fresh }: JsonObject): IsRepeated {
  const places = new Set<string>();
  if (written !== undefined && fresh !== undefined) gather(written, fresh, [], places);
  return (pointer) => places.has(pointer);
}

function gather(written: Json, fresh: Json, path: PathSegment[], places: Set<string>): void {
  if (written === fresh) return;
  if (isJsonObject(written) && tagOf(written) === 'repeated') {
    if (fresh === null) places.add(toPointer(path));
    const count = isJsonArray(fresh) && isJsonArray(written.added) ? fresh.length - written.added.length : 0;
    for (let index = 0; index < count; index++) places.add(toPointer([...path, index]));
  } else if (isJsonArray(written) && isJsonArray(fresh)) {
    for (const [index, item] of written.entries()) gather(item, fresh[index] as Json, [...path, index], places);
  } else if (isJsonObject(written) && isJsonObject(fresh)) {
    for (const key of Object.keys(written)) gather(written[key] as Json, fresh[key] as Json, [...path, key], places);
  }
}
