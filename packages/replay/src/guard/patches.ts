import process from 'node:process';

type Callable = (...args: never[]) => unknown;

/** Decides over one call of a patched function; `native` is the function as it was. */
export type Around = (native: Callable, self: unknown, args: readonly unknown[]) => unknown;

/** Carries on as if nothing had been patched. */
export function goOn(native: Callable, self: unknown, args: readonly unknown[]): unknown {
  return Reflect.apply(native, self, args);
}

/**
 * The functions of Node that are patched, and how to undo it. A patched function is a proxy: its name, its length
 * and what hangs on it (`util.promisify.custom`) stay as they are.
 */
export class Patches {
  readonly #undo: (() => void)[] = [];
  readonly #unwatched: string[] = [];

  /** What this Node does not have, or does not let us patch. */
  get unwatched(): readonly string[] {
    return this.#unwatched;
  }

  /** @param owner prototype, module or binding */
  wrap(owner: object | null | undefined, name: string, around: Around): void {
    this.#replace(owner, name, (native) => new Proxy(native, { apply: around }));
  }

  /** @param construct makes the object by `make`, or throws to prevent it */
  wrapClass(owner: object, name: string, construct: (make: () => object, args: readonly unknown[]) => object): void {
    this.#replace(owner, name, (native) => {
      const handler: ProxyHandler<Callable> = {
        construct: (target, args, newTarget) => construct(() => Reflect.construct(target, args, newTarget), args),
      };
      return new Proxy(native, handler);
    });
  }

  /** Something to undo that is not a patch. */
  onUndo(undo: () => void): void {
    this.#undo.push(undo);
  }

  undo(): void {
    for (const undo of this.#undo.splice(0).reverse()) undo();
  }

  #replace(owner: object | null | undefined, name: string, replacement: (native: Callable) => Callable): void {
    const native: unknown = owner === null || owner === undefined ? undefined : Reflect.get(owner, name);
    const own = owner === null || owner === undefined ? undefined : Reflect.getOwnPropertyDescriptor(owner, name);
    if (owner === null || owner === undefined || typeof native !== 'function') {
      this.#unwatched.push(name);
      return;
    }
    const patched = replacement(native as Callable);
    const shape = own ?? { configurable: true, enumerable: false };
    const { configurable = true, enumerable = false } = shape;
    if (!Reflect.defineProperty(owner, name, { configurable, enumerable, writable: true, value: patched })) {
      this.#unwatched.push(name);
      return;
    }
    this.#undo.push(() => {
      // Whoever patched it after us keeps what they have: our function goes on without watching.
      if (Reflect.get(owner, name) !== patched) return;
      if (own === undefined) Reflect.deleteProperty(owner, name);
      else Reflect.defineProperty(owner, name, own);
    });
  }
}

/**
 * An internal binding, which functions of Node that were taken before a patch go through too; null where this Node
 * does not give it. Says nothing of its deprecation: a replay is no reason for a warning.
 */
export function binding(name: string): object | null {
  const { noDeprecation } = process;
  process.noDeprecation = true;
  try {
    return (process as unknown as { binding: (name: string) => object }).binding(name);
  } catch {
    return null;
  } finally {
    if (noDeprecation === undefined) Reflect.deleteProperty(process, 'noDeprecation');
    else process.noDeprecation = noDeprecation;
  }
}

/** What was imported from Node by name follows; under jest, `node:module` is jest's own, which does nothing. */
export function refreshImports(): void {
  process.getBuiltinModule('node:module').syncBuiltinESMExports();
}
