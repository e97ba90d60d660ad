import { isJsonArray, isJsonObject, type Json } from '@stepfork/trace-format/write';

/** No provider nests an id deeper than this; a bundle may nest anything. */
const DEEPEST = 200;

/** Whether a value holds such a text. */
export function someText(value: Json, test: (text: string) => boolean, depth = 0): boolean {
  if (typeof value === 'string') return test(value);
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return false;
  if (isJsonArray(value)) return value.some((item) => someText(item, test, depth + 1));
  const names = Object.keys(value);
  for (let at = 0; at < names.length; at++) {
    if (someText(value[names[at] as string] as Json, test, depth + 1)) return true;
  }
  return false;
}

/** A value with some of its texts exchanged; the value itself where none is. What is not touched is shared. */
export function mapTexts(value: Json, change: (text: string) => string, depth = 0): Json {
  if (typeof value === 'string') return change(value);
  if (depth > DEEPEST) return value;
  if (isJsonArray(value)) {
    let items: Json[] | null = null;
    for (const [at, item] of value.entries()) {
      const after = mapTexts(item, change, depth + 1);
      if (after === item) continue;
      items ??= [...value];
      items[at] = after;
    }
    return items ?? value;
  }
  if (!isJsonObject(value)) return value;
  let mapped: Record<string, Json> | null = null;
  for (const name of Object.keys(value)) {
    const child = value[name] as Json;
    const after = mapTexts(child, change, depth + 1);
    if (after === child) continue;
    // `__proto__` is a key like any other.
    mapped ??= Object.assign(Object.create(null) as Record<string, Json>, value);
    mapped[name] = after;
  }
  return mapped ?? value;
}

/** Tells `meet` of every two texts that stand at one place of both values. */
export function meetTexts(a: Json, b: Json, meet: (a: string, b: string) => void, depth = 0): void {
  if (depth > DEEPEST) return;
  if (typeof a === 'string') {
    if (typeof b === 'string') meet(a, b);
  } else if (isJsonArray(a)) {
    if (!isJsonArray(b)) return;
    const both = Math.min(a.length, b.length);
    for (let at = 0; at < both; at++) meetTexts(a[at] as Json, b[at] as Json, meet, depth + 1);
  } else if (isJsonObject(a) && isJsonObject(b)) {
    for (const name of Object.keys(a)) {
      if (Object.hasOwn(b, name)) meetTexts(a[name] as Json, b[name] as Json, meet, depth + 1);
    }
  }
}
