import { displayText } from '@stepfork/trace-format';
import type { ToolCall } from './check.js';

/** Names, or numbers of calls, that are listed before the middle is left out. */
const MOST_LISTED = 10;

/** `tool 'search'`. */
export function toolNamed(name: string): string {
  return `tool ${quoted(name)}`;
}

/** A name from a trace or a test, in quotes and fit for a terminal. */
export function quoted(name: string): string {
  return `'${displayText(name)}'`;
}

/** `once`, `2 times`. */
export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** `'search', 'book'`. */
export function listNames(names: readonly string[]): string {
  return cutMiddle(names.map(quoted), MOST_LISTED, (hidden) => `… ${hidden} more …`).join(', ');
}

/** `call #2`, `calls #2, #4`. */
export function listCalls(calls: readonly ToolCall[]): string {
  const numbers = calls.map(({ number }) => `#${number}`);
  const listed = cutMiddle(numbers, MOST_LISTED, (hidden) => `… ${hidden} more …`).join(', ');
  return `${calls.length === 1 ? 'call' : 'calls'} ${listed}`;
}

/** The list itself, or as many items of its beginning and its end, with a word in place of what is left out. */
export function cutMiddle(
  items: readonly string[],
  most: number,
  inPlaceOf: (hidden: number) => string,
): readonly string[] {
  if (items.length <= most) return items;
  const head = Math.ceil(most / 2);
  const tail = most - head;
  return [...items.slice(0, head), inPlaceOf(items.length - most), ...items.slice(items.length - tail)];
}
