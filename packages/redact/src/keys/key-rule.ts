import type { Json } from '@stepfork/trace-format/write';

/**
 * What a key says of its value. `whole`: a secret whatever it is, replaced by one string. `texts`: every string in
 * it is a secret, each replaced where it stands, so that an agent that takes the value apart still finds its shape.
 * `judged`: a string in it is a secret where it looks like one.
 */
export type KeyVerdict = 'whole' | 'texts' | 'judged' | null;

/** Which keys have secret values. */
export interface KeyRules {
  readonly verdict: (key: string) => KeyVerdict;
  /** The same for the name of a parameter of a query or a form. */
  readonly parameter: (name: string) => KeyVerdict;
  /** Whether this very value is known to be none, for keys of verdict `texts`. */
  readonly spares: (key: string, value: Json, hasSibling: (name: string) => boolean) => boolean;
  /** Whether the strings in a value that was redacted whole are secrets of their own, to be looked for elsewhere. */
  readonly teaches: (value: Json) => boolean;
}

const STRICTEST_FIRST = ['whole', 'texts', 'judged'] as const;

/** The stricter of what a key says and what the keys around it said. */
export function stricter(a: KeyVerdict, b: KeyVerdict): KeyVerdict {
  return STRICTEST_FIRST.find((verdict) => a === verdict || b === verdict) ?? null;
}

/** Adversarial data may hold any number of different keys. */
const MAX_REMEMBERED = 4096;

/** Remembers what was found out about a key: agents use few keys, many times over. */
export function rememberByKey<T>(find: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const fresh = find(key);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(key, fresh);
    return fresh;
  };
}
