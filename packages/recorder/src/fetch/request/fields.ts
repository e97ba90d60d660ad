/** Named values, as a query or a form has them: a name that comes again has the list of its values. */
export interface OpenFields {
  readonly add: (name: string, value: unknown) => void;
  readonly all: Readonly<Record<string, unknown>>;
}

export function openFields(): OpenFields {
  // Names are data: `__proto__` is one like any other.
  const all: Record<string, unknown> = Object.create(null);
  return {
    all,
    add(name, value) {
      const before = all[name];
      if (before === undefined) all[name] = value;
      else if (Array.isArray(before)) before.push(value);
      else all[name] = [before, value];
    },
  };
}
