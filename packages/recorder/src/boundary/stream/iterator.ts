import { types } from 'node:util';
import { observe } from '../observe.js';
import type { StreamObserver } from './observer.js';
import { type Method, replaceMethod } from './replace-method.js';

const METHODS = ['next', 'return', 'throw'] as const;
type MethodName = (typeof METHODS)[number];

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
  readonly name: MethodName;
  readonly original: Method;
  readonly iterator: object;
  readonly args: unknown[];
  readonly watch: StreamObserver;
  /** How many steps of the iterator are on the stack. */
  readonly running: { steps: number };
}

function watchStep({ name, original, iterator, args, watch, running }: Step): unknown {
  running.steps++;
  try {
    return observe(() => watch.inside(() => original(iterator, args)), {
      returned: (result) => {
        const given = readResult(result);
        if (given === null) return result;
        if (!given.done) watch.chunk(given.value, name === 'next' ? args[0] : undefined);
        else if (name === 'return') watch.cancelled({ returned: given.value });
        else watch.ended(given.value, name === 'next' ? args[0] : undefined);
        return given.result;
      },
      threw: (thrown, answered) => {
        // A generator that is asked for more by its own body refuses, and lives on.
        if (answered === 'promise' || running.steps === 1) watch.failed(thrown);
      },
    });
  } finally {
    running.steps--;
  }
}

interface Given {
  readonly done: boolean;
  readonly value: unknown;
  /** What the consumer is to be given. */
  readonly result: unknown;
}

/** An iterator's result; one that computes when it is read is read once, here, and handed on as what it said. */
function readResult(result: unknown): Given | null {
  if (typeof result !== 'object' || result === null) return null;
  const read = { done: Boolean(Reflect.get(result, 'done')), value: Reflect.get(result, 'value') };
  return { ...read, result: isData(result) ? result : read };
}

function isData(result: object): boolean {
  if (types.isProxy(result)) return false;
  return ['done', 'value'].every((key) => {
    const property = Object.getOwnPropertyDescriptor(result, key);
    return property === undefined ? !(key in result) : 'value' in property;
  });
}
