import { isModel, recordModel } from './model.js';
import { isCallable } from './shape.js';

/** Makes models by its methods, and many also when they are called themselves. */
type Provider = object & { readonly languageModel: (...args: never[]) => unknown };

/** Shared by all copies of this package: tells a provider whose models are instrumented. */
const MARK = Symbol.for('stepfork.ai-sdk.provider/1');

export function isProvider(target: object): target is Provider {
  return isCallable(Reflect.get(target, 'languageModel'));
}

/** The provider seen through a proxy, since no function can be changed so that its own call answers otherwise. */
export function recordProvider<P extends Provider>(provider: P): P {
  if (Reflect.get(provider, MARK) === true) return provider;
  const known = new Map<object, object>();
  const recorded: P = new Proxy(provider, {
    apply: (target, self: unknown, args: unknown[]) => withModel(Reflect.apply(target as never, self, args)),
    get(target, key) {
      if (key === MARK) return true;
      const member: unknown = Reflect.get(target, key);
      if (!isCallable(member) || isFixed(target, key)) return member;
      return known.get(member) ?? remember(member);
    },
  });
  // A provider's own state is its own object's, whose private fields no proxy has.
  const remember = (member: object): object => {
    const making = new Proxy(member, {
      apply: (make, self: unknown, args: unknown[]) =>
        withModel(Reflect.apply(make as never, self === recorded ? provider : self, args)),
    });
    known.set(member, making);
    return making;
  };
  return recorded;
}

function withModel(made: unknown): unknown {
  return typeof made === 'object' && made !== null && isModel(made) ? recordModel(made) : made;
}

/** What a proxy may not answer otherwise. */
function isFixed(target: object, key: string | symbol): boolean {
  const own = Reflect.getOwnPropertyDescriptor(target, key);
  return own?.configurable === false && own.writable === false;
}
