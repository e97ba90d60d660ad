import { isJsonArray, isJsonObject, type Json } from '@stepfork/trace-format/write';
import { afterSpace, endOfString } from '../text/json-span.js';

/**
 * Whether JSON text says a key of an object twice. Only the last of them is in the value, so that the value does not
 * say all that the text does.
 */
export function repeatsKey(text: string, value: Json): boolean {
  return keysInText(text) !== keysIn(value);
}

function keysInText(text: string): number {
  let count = 0;
  for (let quote = text.indexOf('"'); quote >= 0; ) {
    const end = endOfString(text, quote, 0);
    if (text[afterSpace(text, end)] === ':') count++;
    quote = text.indexOf('"', end);
  }
  return count;
}

function keysIn(value: Json): number {
  if (isJsonArray(value)) return value.reduce<number>((count, item) => count + keysIn(item), 0);
  if (!isJsonObject(value)) return 0;
  const items = Object.values(value);
  return items.reduce<number>((count, item) => count + keysIn(item), items.length);
}
