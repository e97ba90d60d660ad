import { isPlainObject } from '../../boundary/plain.js';

/** Texts that come piece by piece; any other text is said once, or each time as a whole. */
const PIECEWISE: ReadonlySet<string> = new Set([
  'content',
  'text',
  'arguments',
  'refusal',
  'reasoning',
  'reasoning_content',
  'thinking',
  'transcript',
]);

export type Fields = Record<string, unknown>;

/** Names are data: `__proto__` is one like any other. */
export function emptyFields(): Fields {
  return Object.create(null) as Fields;
}

/** Puts what a delta adds into what there is of its object. */
export function mergeDelta(into: Fields, delta: unknown): void {
  if (!isPlainObject(delta)) return;
  for (const [key, value] of Object.entries(delta)) into[key] = merged(key, into[key], value);
}

function merged(key: string, before: unknown, value: unknown): unknown {
  if (typeof value === 'string') return typeof before === 'string' && PIECEWISE.has(key) ? before + value : value;
  if (Array.isArray(value)) return mergedList(Array.isArray(before) ? before : [], value);
  if (!isPlainObject(value)) return value ?? before ?? null;
  const fields = isPlainObject(before) ? before : emptyFields();
  mergeDelta(fields, value);
  return fields;
}

/** By the `index` that each says; where it says none, it is one more. */
function mergedList(before: readonly unknown[], value: readonly unknown[]): unknown[] {
  const list = [...before];
  for (const item of value) {
    const at = isPlainObject(item) && isPlace(item.index) ? list.findIndex((each) => isAt(each, item.index)) : -1;
    if (at === -1) list.push(merged('', undefined, item));
    else list[at] = merged('', list[at], item);
  }
  return list;
}

function isPlace(index: unknown): boolean {
  return typeof index === 'number';
}

function isAt(item: unknown, index: unknown): boolean {
  return isPlainObject(item) && item.index === index;
}
