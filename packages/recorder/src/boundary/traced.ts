/** Any function; what it takes and gives is the caller's business. */
export type AnyFunction = (...args: never[]) => unknown;

/** Shared by all copies of this package, so that a function wrapped by one is known to the other. */
const MARK = Symbol.for('stepfork.traced/1');

/** Whether `fn` is an instrumented tool already. */
export function isTraced(fn: AnyFunction): boolean {
  return (fn as unknown as Record<symbol, unknown>)[MARK] === true;
}

/**
 * `fn` with its calls taken over by `call`. A proxy, and not a wrapper, because nobody can tell them apart: name,
 * length, own properties, prototype and kind (`AsyncFunction`, `GeneratorFunction`) are those of `fn`.
 */
export function withCalls<F extends AnyFunction>(
  fn: F,
  call: (self: unknown, args: readonly unknown[]) => unknown,
  mark: boolean,
): F {
  return new Proxy(fn, {
    apply: (_fn, self: unknown, args: readonly unknown[]) => call(self, args),
    get: (target, key) => (mark && key === MARK ? true : Reflect.get(target, key)),
  });
}

/** Calls `fn` as the caller did. */
export function callAs(fn: AnyFunction, self: unknown, args: readonly unknown[]): unknown {
  return Reflect.apply(fn, self, args);
}
