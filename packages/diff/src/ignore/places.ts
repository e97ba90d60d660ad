import { isJsonArray, isJsonObject, type Json } from '@stepfork/trace-format/write';

/** The keys of a JSON Pointer; `*` stands for any key or index. */
export type Place = readonly string[];

/** Stands where an element of a list was taken out, so that the others keep their places. */
const TAKEN_OUT: Json = null;

/** The value without what stands at a place; the value itself where nothing does. It is left as it is. */
export function without(value: Json, place: Place): Json {
  const [key, ...below] = place;
  if (key === undefined) return TAKEN_OUT;
  if (isJsonArray(value)) {
    const items = value.map((item, index) => (isMeant(key, String(index)) ? without(item, below) : item));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  let isChanged = false;
  // `__proto__` is a key like any other.
  const rest: Record<string, Json> = Object.create(null);
  for (const [name, child] of Object.entries(value)) {
    const isTaken = isMeant(key, name) && below.length === 0;
    const kept = isMeant(key, name) && !isTaken ? without(child, below) : child;
    isChanged ||= isTaken || kept !== child;
    if (!isTaken) rest[name] = kept;
  }
  return isChanged ? rest : value;
}

const isMeant = (key: string, name: string): boolean => key === '*' || key === name;
