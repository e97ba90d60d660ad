import { isJsonArray, isJsonObject, type Json } from '@stepfork/trace-format/write';

/** The keys of a JSON Pointer; `*` stands for any key or index. */
export type Place = readonly string[];

/** Stands where an element of an array was taken out, so that the others keep their places. */
const TAKEN_OUT: Json = null;

/** The value without what stands at a place, and how many such values there were. The value itself is left as it is. */
export function without(value: Json, place: Place): { readonly value: Json; readonly count: number } {
  const [key, ...below] = place;
  if (key === undefined) return { value: TAKEN_OUT, count: 1 };
  let count = 0;
  const inside = (child: Json): Json => {
    const rest = without(child, below);
    count += rest.count;
    return rest.value;
  };
  if (isJsonArray(value)) {
    const items = value.map((item, index) => (isMeant(key, String(index)) ? inside(item) : item));
    return { value: count === 0 ? value : items, count };
  }
  if (!isJsonObject(value)) return { value, count };
  const entries: [string, Json][] = [];
  for (const [name, child] of Object.entries(value)) {
    if (!isMeant(key, name)) entries.push([name, child]);
    else if (below.length > 0) entries.push([name, inside(child)]);
    else count++;
  }
  return { value: count === 0 ? value : objectOf(entries), count };
}

/** What of the value stands at the places; null where nothing does. */
export function only(value: Json, places: readonly Place[]): Json {
  if (places.some((place) => place.length === 0)) return value;
  const keep = (name: string, child: Json): Json | undefined => {
    const below = places.filter(([key = '']) => isMeant(key, name)).map((place) => place.slice(1));
    return below.length === 0 ? undefined : only(child, below);
  };
  if (isJsonArray(value)) return value.map((item, index) => keep(String(index), item) ?? TAKEN_OUT);
  if (!isJsonObject(value)) return null;
  const entries = Object.entries(value).flatMap(([name, child]): [string, Json][] => {
    const kept = keep(name, child);
    return kept === undefined ? [] : [[name, kept]];
  });
  return objectOf(entries);
}

function isMeant(key: string, name: string): boolean {
  return key === '*' || key === name;
}

/** `__proto__` is a key like any other. */
function objectOf(entries: readonly (readonly [string, Json])[]): Json {
  const made: Record<string, Json> = Object.create(null);
  for (const [name, child] of entries) made[name] = child;
  return made;
}
