export type Callable = (...args: never[]) => unknown;

export function isCallable(value: unknown): value is Callable {
  return typeof value === 'function';
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** A copy, hidden members and prototype included, with other values for some members. */
export function withMembers<T extends object>(original: T, members: readonly (readonly [string, unknown])[]): T {
  const copy: T = Object.create(Object.getPrototypeOf(original), Object.getOwnPropertyDescriptors(original));
  for (const [name, value] of members) {
    Object.defineProperty(copy, name, { value, writable: true, enumerable: true, configurable: true });
  }
  return copy;
}
