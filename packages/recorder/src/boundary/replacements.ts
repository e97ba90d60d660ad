/** Puts things back as they were. */
export type Undo = () => void;

/** Puts something else in the place of what the engine or Node has, for as long as it is needed. */
export interface Replacements {
  /**
   * Puts something else in a property's place. The undoing leaves it alone where somebody else (a test runner's fake
   * timers) has put something over it meanwhile. They may bring ours back later, which then does nothing of its own,
   * and is recognised here.
   *
   * @param replacement made from what is there; it has a function or an object as its value or its getter
   */
  readonly replaceProperty: (
    owner: object,
    key: PropertyKey,
    replacement: (original: PropertyDescriptor) => PropertyDescriptor,
  ) => Undo;
  /** Puts a function in a method's place that is like it in name, length and text. */
  readonly replaceMethod: <F extends (...args: never[]) => unknown>(
    owner: object,
    key: PropertyKey,
    apply: (native: F, self: unknown, args: readonly unknown[]) => unknown,
  ) => Undo;
  /** Puts another class in a class's place; its instances name it as their constructor as they did the other. */
  readonly replaceClass: <C extends object & { readonly prototype: object }>(
    owner: object,
    key: PropertyKey,
    over: (native: C) => C,
  ) => readonly Undo[];
}

/** What was there before, by what was put in its place for a purpose that ended while something else lay over it. */
const undone = new WeakMap<object, PropertyDescriptor>();

/** What is to be seen where something is taken away: nothing that has ended. */
function below(found: PropertyDescriptor): PropertyDescriptor {
  const before = undone.get(markOf(found));
  return before === undefined ? found : below(before);
}

/** For one purpose. What another purpose has put in place (a recording's, under a replay's) is what lies below. */
export function createReplacements(): Replacements {
  /** What was there before, by what was put in its place. */
  const replaced = new WeakMap<object, PropertyDescriptor>();

  const replaceProperty: Replacements['replaceProperty'] = (owner, key, replacement) => {
    const found = Reflect.getOwnPropertyDescriptor(owner, key);
    if (found === undefined) return () => {};
    const original = replaced.get(markOf(found)) ?? below(found);
    const installed = replacement(original);
    const mark = markOf(installed);
    replaced.set(mark, original);
    // False where the realm's own objects are frozen: what cannot be replaced stays real.
    Reflect.defineProperty(owner, key, installed);
    return () => {
      const current = Reflect.getOwnPropertyDescriptor(owner, key);
      if (current === undefined || markOf(current) !== mark) undone.set(mark, original);
      else Reflect.defineProperty(owner, key, below(original));
    };
  };

  const replaceMethod: Replacements['replaceMethod'] = (owner, key, apply) =>
    replaceProperty(owner, key, (original) => ({
      ...original,
      value: new Proxy(original.value as Parameters<typeof apply>[0], {
        apply: (native, self, args: unknown[]) => apply(native, self, args),
      }),
    }));

  const replaceClass: Replacements['replaceClass'] = <C extends object & { readonly prototype: object }>(
    owner: object,
    key: PropertyKey,
    over: (native: C) => C,
  ) => {
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
  };

  return { replaceProperty, replaceMethod, replaceClass };
}

/** Whoever of the object and its prototypes has the property itself; the object where none has. */
export function ownerOf(object: object, key: PropertyKey): object {
  for (let owner: object | null = object; owner !== null; owner = Object.getPrototypeOf(owner)) {
    if (Object.hasOwn(owner, key)) return owner;
  }
  return object;
}

const NOTHING = {};

function markOf({ value, get }: PropertyDescriptor): object {
  const mark: unknown = get ?? value;
  return typeof mark === 'function' || (typeof mark === 'object' && mark !== null) ? mark : NOTHING;
}
