import { StepforkError } from '@stepfork/trace-format/write';
import { isDisabled } from '../disabled.js';
import { type ToolOptions, traceTool } from './tool.js';
import type { AnyFunction } from './traced.js';

type OptionsOf<F> = F extends AnyFunction ? Partial<ToolOptions<F>> : never;

/** How the tools of a toolbox are recorded: by their names in it, or made for each by a function. */
export type ToolboxOptions<T extends object> =
  | { readonly [K in keyof T]?: OptionsOf<T[K]> }
  | ((key: keyof T & string) => Partial<Omit<ToolOptions<AnyFunction>, 'codec' | 'chunkCodec'>>);

/**
 * Instruments a whole toolbox: an object of the same shape, with each of its functions traced under its key. Other
 * members, and the prototype, are as they were; methods are called with the `this` that they are called on.
 *
 * @throws StepforkError `invalid_argument` for what is no object, and for a key or a name that cannot name a tool
 */
export function traceTools<T extends object>(tools: T, options: ToolboxOptions<T> = {}): T {
  if (typeof tools !== 'object' || tools === null) {
    throw new StepforkError('invalid_argument', 'traceTools needs an object whose properties are functions');
  }
  if (isDisabled()) return tools;
  const traced: T = Object.create(Object.getPrototypeOf(tools));
  for (const key of Reflect.ownKeys(tools)) {
    const member = Object.getOwnPropertyDescriptor(tools, key) as PropertyDescriptor;
    if (typeof key === 'string' && typeof member.value === 'function') {
      const chosen = typeof options === 'function' ? options(key as keyof T & string) : optionsFor(options, key);
      member.value = traceTool({ ...chosen, name: chosen?.name ?? key }, member.value as AnyFunction);
    }
    Object.defineProperty(traced, key, member);
  }
  return traced;
}

function optionsFor(options: object, key: string): Partial<ToolOptions<AnyFunction>> | undefined {
  return Object.hasOwn(options, key) ? (options as Record<string, Partial<ToolOptions<AnyFunction>>>)[key] : undefined;
}
