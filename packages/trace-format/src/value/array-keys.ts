/** Properties of an array beside its items: `index` of a regex match, `count` of a driver's rows. */
export interface ExtraKeys {
  /** Enumerable. */
  readonly listed: readonly string[];
  /** Not enumerable; only those that hold plain facts, since drivers hang their machinery there. */
  readonly hidden: readonly string[];
}

const NONE: ExtraKeys = { listed: [], hidden: [] };

/** The own properties of an array that are no items of it. */
export function extraKeys(list: readonly unknown[]): ExtraKeys {
  const names = Object.getOwnPropertyNames(list);
  // Items come first, in the order of their index.
  let start = names.length;
  while (start > 0 && !isIndex(names[start - 1] as string)) start--;
  if (start === names.length - 1) return NONE;
  const extra = names.slice(start).filter((name) => name !== 'length');
  const listed = extra.filter((name) => Object.prototype.propertyIsEnumerable.call(list, name));
  return { listed, hidden: extra.filter((name) => !listed.includes(name) && holdsFact(list, name)) };
}

/** Whether a key would set an item, or how many there are. */
export function isItemKey(key: string): boolean {
  return key === 'length' || isIndex(key);
}

const MAX_INDEX = 2 ** 32 - 2;

function isIndex(key: string): boolean {
  const index = Number(key);
  return Number.isInteger(index) && index >= 0 && index <= MAX_INDEX && String(index) === key;
}

function holdsFact(list: readonly unknown[], name: string): boolean {
  const value: unknown = Object.getOwnPropertyDescriptor(list, name)?.value;
  return ['string', 'number', 'boolean', 'bigint'].includes(typeof value) || value === null;
}
