import { StepforkError } from '@stepfork/trace-format/write';
import { checkNames } from '../check-options.js';
import { isDisabled } from '../disabled.js';
import { isPlainObject } from './plain.js';
import { type ToolOptions, traceTool } from './tool.js';
import type { AnyFunction } from './traced.js';

type OptionsOf<F> = F extends AnyFunction ? Partial<ToolOptions<F>> : never;

/** How the tools of a toolbox are recorded: by their names in it, or made for each by a function. */
export type ToolboxOptions<T extends object> =
  | { readonly [K in keyof T]?: OptionsOf<T[K]> }
  | ((key: keyof T & string) => Partial<Omit<ToolOptions<AnyFunction>, 'codec' | 'chunkCodec'>>);

/**
 * Instruments a whole toolbox: an object of the same shape, with each of its functions traced under its key. Other
 * members, and the prototype, are as they were; methods are called with the `this` that they are called on, and those of
 * a class's instance on that instance.
 *
 * @throws StepforkError `invalid_argument` for what is no object, for options of a key that it does not have, and for a
 * key or a name that cannot name a tool
 */
export function traceTools<T extends object>(tools: T, options: ToolboxOptions<T> = {}): T {
  if (typeof tools !== 'object' || tools === null) {
    throw new StepforkError('invalid_argument', 'traceTools needs an object whose properties are functions');
  }
  if (typeof options !== 'function') checkNames(options, keysOf(tools), 'traceTools');
  if (isDisabled()) return tools;
  const trace = (key: string, tool: AnyFunction): AnyFunction => {
    const chosen = typeof options === 'function' ? options(key as keyof T & string) : optionsFor(options, key);
    return traceTool({ ...chosen, name: chosen?.name ?? key }, tool);
  };
  return isPlainObject(tools) ? tracedCopy(tools, trace) : tracedInstance(tools, trace);
}

type Trace = (key: string, tool: AnyFunction) => AnyFunction;

function tracedCopy<T extends object>(tools: T, trace: Trace): T {
  const traced: T = Object.create(Object.getPrototypeOf(tools));
  for (const key of Reflect.ownKeys(tools)) {
    const member = Object.getOwnPropertyDescriptor(tools, key) as PropertyDescriptor;
    if (typeof key === 'string' && typeof member.value === 'function') {
      member.value = trace(key, member.value as AnyFunction);
    }
    Object.defineProperty(traced, key, member);
  }
  return traced;
}

/**
 * An instance of a class is looked through, since only itself has its private fields: its methods run on it, and what
 * is set is set on it. A method that calls another of the instance's own calls it untraced.
 */
function tracedInstance<T extends object>(tools: T, trace: Trace): T {
  const known = new Map<string, { readonly of: unknown; readonly tool: AnyFunction }>();
  const get = (_target: T, key: string | symbol): unknown => {
    const member: unknown = Reflect.get(tools, key, tools);
    if (typeof member !== 'function' || typeof key !== 'string' || !isTool(tools, key)) return member;
    const before = known.get(key);
    if (before?.of === member) return before.tool;
    const tool = trace(key, (member as AnyFunction).bind(tools));
    known.set(key, { of: member, tool });
    return tool;
  };
  const set = (_target: T, key: string | symbol, value: unknown): boolean => Reflect.set(tools, key, value, tools);
  return hasFixedTool(tools) ? standIn(tools, get, set) : new Proxy(tools, { get, set });
}

/** What a proxy may not answer otherwise: an own function of a frozen instance. */
function hasFixedTool(tools: object): boolean {
  return Object.values(Object.getOwnPropertyDescriptors(tools)).some(
    ({ value, writable, configurable }) => typeof value === 'function' && writable === false && configurable === false,
  );
}

/** A proxy of an object that has nothing of its own, and so nothing that is fixed; all else is as the tools say. */
function standIn<T extends object>(
  tools: T,
  get: NonNullable<ProxyHandler<T>['get']>,
  set: NonNullable<ProxyHandler<T>['set']>,
): T {
  return new Proxy<T>(Object.create(Object.getPrototypeOf(tools)), {
    get,
    set,
    has: (_target, key) => Reflect.has(tools, key),
    ownKeys: () => Reflect.ownKeys(tools),
    getOwnPropertyDescriptor(_target, key) {
      const property = Reflect.getOwnPropertyDescriptor(tools, key);
      return property && { ...property, configurable: true };
    },
    defineProperty: (_target, key, property) => Reflect.defineProperty(tools, key, property),
    deleteProperty: (_target, key) => Reflect.deleteProperty(tools, key),
  });
}

function isTool(tools: object, key: string): boolean {
  return key !== 'constructor' && !(key in Object.prototype && !Object.hasOwn(tools, key));
}

/** Of a toolbox, those of its class and of the classes above it included; not those that every object has. */
function keysOf(tools: object): readonly string[] {
  const keys = Object.getOwnPropertyNames(tools).filter((key) => key !== 'constructor');
  const above: object | null = Object.getPrototypeOf(tools);
  return above === null || Object.getPrototypeOf(above) === null ? keys : [...keys, ...keysOf(above)];
}

function optionsFor(options: object, key: string): Partial<ToolOptions<AnyFunction>> | undefined {
  return Object.hasOwn(options, key) ? (options as Record<string, Partial<ToolOptions<AnyFunction>>>)[key] : undefined;
}
