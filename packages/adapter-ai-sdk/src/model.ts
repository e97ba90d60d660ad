import { isOfRun } from '@stepfork/recorder/fetch';
import { ask } from './ask.js';
import { isFetching, recordFetch } from './fetching-model.js';
import { type Callable, isCallable } from './shape.js';

/** A model of any kind (language, embedding, image, …) of the provider specification, whatever its version. */
export interface Model {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
}

/** Shared by all copies of this package: tells an instrumented model. */
const MARK = Symbol.for('stepfork.ai-sdk.model/1');

export function isModel(target: object): target is Model {
  const { specificationVersion, modelId } = target as Partial<Model>;
  return typeof specificationVersion === 'string' && typeof modelId === 'string' && methodsOf(target).length > 0;
}

/**
 * Has all that is asked of the model recorded, in place: it stays the object that it is. Where it makes its requests by
 * a `fetch` that it was given, there: the SDK makes its own objects and errors of what came over the wire. Else what
 * its methods are given and give is recorded.
 */
export function recordModel<M extends Model>(model: M): M {
  if (Object.hasOwn(model, MARK)) return model;
  if (isFetching(model)) recordFetch(model);
  else recordMethods(model);
  Object.defineProperty(model, MARK, { value: true });
  return model;
}

function recordMethods(model: Model): void {
  for (const name of methodsOf(model)) {
    const make = Reflect.get(model, name) as Callable;
    const value = function (this: unknown, options: unknown): unknown {
      const really = (): unknown => Reflect.apply(make, this, [options]);
      return isOfRun() ? ask(model, name, options, really) : really();
    };
    Object.defineProperty(model, name, { value, writable: true, configurable: true });
  }
}

/** Names of the methods by which something is asked: `doGenerate`, `doStream`, `doEmbed`, … */
function methodsOf(model: object): readonly string[] {
  const names = new Set<string>();
  for (let at: object | null = model; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) if (/^do[A-Z]/.test(name)) names.add(name);
  }
  return [...names].filter((name) => isCallable(Reflect.get(model, name)));
}
