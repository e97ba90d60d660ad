/** Any function; what it takes and gives is the caller's business. */
export type AnyFunction = (...args: never[]) => unknown;

/** What takes a call over; null where the function is to be called as if nothing were around it. */
export type TakeOver = (self: unknown, args: readonly unknown[]) => (() => unknown) | null;

/** Shared by all copies of this package, so that a function wrapped by one is known to the other. */
const MARK = Symbol.for('stepfork.traced/1');

/** Whether `fn` is an instrumented tool already. */
export function isTraced(fn: AnyFunction): boolean {
  return (fn as unknown as Record<symbol, unknown>)[MARK] === true;
}

/**
 * `fn` with its calls taken over. A proxy, and not a wrapper: name, length, own properties, prototype, source text and
 * tag (`AsyncFunction`, `GeneratorFunction`) are those of `fn`. One frame lies between a call that is not taken over
 * and `fn`, so that a recursion goes about as deep.
 */
export function withCalls<F extends AnyFunction>(fn: F, takeOver: TakeOver, mark: boolean): F {
  const traced = new Proxy(fn, {
    apply(target, self: unknown, args: readonly unknown[]) {
      const call = takeOver(self, args);
      return call === null ? Reflect.apply(target, self, args) : call();
    },
    get(target, key) {
      if (key === MARK && mark) return true;
      const value: unknown = Reflect.get(target, key);
      return key === 'toString' && typeof value === 'function' ? sourceText(value) : value;
    },
  });
  // The text is the engine's own of a function, which a proxy has none of.
  function sourceText(toText: object): unknown {
    return new Proxy(toText, {
      apply: (text, self: unknown, args: unknown[]) =>
        Reflect.apply(text as () => unknown, self === traced ? fn : self, args),
    });
  }
  return traced;
}

/** Calls `fn` as the caller did. */
export function callAs(fn: AnyFunction, self: unknown, args: readonly unknown[]): unknown {
  return Reflect.apply(fn, self, args);
}
