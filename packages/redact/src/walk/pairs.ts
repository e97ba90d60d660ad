import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@stepfork/trace-format/write';

/**
 * Whether a list is a list of name and value, as `[...headers]` and `Object.entries` give it.
 */
export function isPairList(list: readonly Json[]): boolean {
  return list.length > 0 && list.every(isNamedPair);
}

/** Whether an item is a value with a name before it. */
export function isNamedPair(item: Json): item is readonly [string, Json] {
  return isJsonArray(item) && item.length === 2 && typeof item[0] === 'string';
}

/**
 * Whether an object is a request as a recording has it, `{ method, path, query }`, so that the keys of its `query` are
 * names of parameters.
 */
export function hasQuery(object: JsonObject): boolean {
  return isJsonObject(object.query) && ['method', 'path'].every((name) => typeof object[name] === 'string');
}

/** The name that an object such as `{ "name": "…", "value": "…" }` gives to its `value`, or null. */
export function nameOfValue(object: JsonObject): string | null {
  const name = Object.hasOwn(object, 'name') ? object.name : object.key;
  return typeof name === 'string' && !isJsonObject(name) ? name : null;
}
