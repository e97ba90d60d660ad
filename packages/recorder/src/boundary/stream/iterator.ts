import { types } from 'node:util';
import { observe } from '../observe.js';
import type { Act, StreamObserver } from './observer.js';
import { type Method, replaceMethod } from './replace-method.js';

const METHODS = ['next', 'return', 'throw'] as const;

/**
 * Watches an iterator, synchronous or not, by own methods on the very object. A frozen generator is stood in for by
 * an object that inherits all it has; what else cannot be changed is not watched.
 *
 * @returns what the consumer is to be given, or null
 */
export function patchIterator(iterator: object, watch: StreamObserver): object | null {
  if (Object.isExtensible(iterator)) return replaceMethods(iterator, iterator, watch) ? iterator : null;
  if (!types.isGeneratorObject(iterator)) return null;
  const standIn: object = Object.create(iterator);
  return replaceMethods(standIn, iterator, watch) ? standIn : null;
}

function replaceMethods(target: object, iterator: object, watch: StreamObserver): boolean {
  const running = { steps: 0 };
  return METHODS.filter((name) => typeof Reflect.get(iterator, name) === 'function').every((name) =>
    replaceMethod(target, name, (original) => (self, args) => {
      if (self !== target) return original(self, args);
      return watchStep({ name, original, iterator, args, watch, running });
    }),
  );
}

interface Step {
  readonly name: Act['by'];
  readonly original: Method;
  readonly iterator: object;
  readonly args: unknown[];
  readonly watch: StreamObserver;
  /** How many steps of the iterator are on the stack. */
  readonly running: { steps: number };
}

function watchStep({ name, original, iterator, args, watch, running }: Step): unknown {
  const act: Act = { by: name, value: args[0] };
  running.steps++;
  try {
    return observe(() => watch.inside(() => original(iterator, args)), {
      returned: (result) => {
        const given = readResult(result);
        if (given === null) return result;
        if (!given.done) watch.chunk(given.value, act);
        else if (name === 'return') watch.cancelled({ returned: given.value, act });
        else watch.ended(given.value, act);
        return result;
      },
      threw: (thrown, answered) => {
        // A generator that is asked for more by its own body refuses, and lives on.
        if (answered === 'promise' || running.steps === 1) watch.failed(thrown, act);
      },
    });
  } finally {
    running.steps--;
  }
}

interface Given {
  readonly done: boolean;
  readonly value: unknown;
}

/** What an iterator's result says. Its consumer is given the very object. */
function readResult(result: unknown): Given | null {
  if (typeof result !== 'object' || result === null) return null;
  try {
    return { done: Boolean(read(result, 'done')), value: read(result, 'value') };
  } catch {
    return null;
  }
}

/**
 * A getter of the result's own may give something once only, so that what it gave is put in its place. Those of its
 * class stay, and its consumer runs them once more.
 */
function read(result: object, key: 'done' | 'value'): unknown {
  const value: unknown = Reflect.get(result, key);
  const property = types.isProxy(result) ? undefined : Object.getOwnPropertyDescriptor(result, key);
  if (property?.get !== undefined && property.configurable === true) {
    const { enumerable = false } = property;
    Object.defineProperty(result, key, { value, enumerable, writable: true, configurable: true });
  }
  return value;
}
