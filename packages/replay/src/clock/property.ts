/** Puts things back as they were. */
export type Undo = () => void;

/** What was there before, by what was put in its place. */
const replaced = new WeakMap<object, PropertyDescriptor>();

/**
 * Puts something else in a property's place. The undoing leaves it alone where somebody else (a test runner's fake
 * timers) has put something over it meanwhile. They may bring ours back later, which then does nothing of its own,
 * and is recognised here.
 *
 * @param replacement made from what is there; it has a function or an object as its value or its getter
 */
export function replaceProperty(
  owner: object,
  key: PropertyKey,
  replacement: (original: PropertyDescriptor) => PropertyDescriptor,
): Undo {
  const found = Reflect.getOwnPropertyDescriptor(owner, key);
  if (found === undefined) return () => {};
  const original = replaced.get(markOf(found)) ?? found;
  const installed = replacement(original);
  const mark = markOf(installed);
  replaced.set(mark, original);
  // False where the realm's own objects are frozen: what cannot be replaced stays real.
  Reflect.defineProperty(owner, key, installed);
  return () => {
    const current = Reflect.getOwnPropertyDescriptor(owner, key);
    if (current !== undefined && markOf(current) === mark) Reflect.defineProperty(owner, key, original);
  };
}

/** Puts a function in a method's place that is like it in name, length and text. */
export function replaceMethod<F extends (...args: never[]) => unknown>(
  owner: object,
  key: PropertyKey,
  apply: (native: F, self: unknown, args: readonly unknown[]) => unknown,
): Undo {
  return replaceProperty(owner, key, (original) => ({
    ...original,
    value: new Proxy(original.value as F, { apply: (native, self, args: unknown[]) => apply(native, self, args) }),
  }));
}

/** Puts another class in a class's place; its instances name it as their constructor as they did the other. */
export function replaceClass<C extends object & { readonly prototype: object }>(
  owner: object,
  key: PropertyKey,
  over: (native: C) => C,
): readonly Undo[] {
  const undos: Undo[] = [];
  const undo = replaceProperty(owner, key, (original) => {
    const native = original.value as C;
    const ours = over(native);
    if (Reflect.get(native.prototype, 'constructor') === native) {
      undos.push(replaceProperty(native.prototype, 'constructor', (named) => ({ ...named, value: ours })));
    }
    return { ...original, value: ours };
  });
  return [undo, ...undos];
}

const NOTHING = {};

function markOf({ value, get }: PropertyDescriptor): object {
  const mark: unknown = get ?? value;
  return typeof mark === 'function' || (typeof mark === 'object' && mark !== null) ? mark : NOTHING;
}
