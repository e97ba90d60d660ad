/** Classes of errors that every program has. A revived error is an instance of one, or of a class made upon one. */
const BUILT_IN = {
  ...{ Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError },
  ...{ AggregateError, DOMException },
} as const;

export type BuiltInError = keyof typeof BUILT_IN;

export function isBuiltInError(name: unknown): name is BuiltInError {
  return typeof name === 'string' && Object.hasOwn(BUILT_IN, name);
}

/** What an error's prototypes say of it. */
export interface ErrorClass {
  /** Its constructor's name, or null where it has none. */
  readonly name: string | null;
  /** The nearest class that every program has. */
  readonly base: BuiltInError;
}

export function errorClassOf(error: object): ErrorClass {
  const prototype: unknown = Object.getPrototypeOf(error);
  const name = (constructorOf(prototype) as { name?: unknown } | undefined)?.name;
  return { name: typeof name === 'string' ? name : null, base: baseOf(prototype) };
}

/** The base of an error of which no base was recorded. */
export function likelyBase(className: string, errorName: string): BuiltInError {
  if (isBuiltInError(className)) return className;
  return isBuiltInError(errorName) ? errorName : 'Error';
}

function baseOf(prototype: unknown): BuiltInError {
  for (let at = prototype; typeof at === 'object' && at !== null; at = Object.getPrototypeOf(at)) {
    if (!Object.hasOwn(at, 'constructor')) continue;
    const made = constructorOf(at);
    const name = (made as { name?: unknown } | undefined)?.name;
    if (typeof made === 'function' && isBuiltInError(name) && isOfEngine(made, name)) return name;
  }
  return 'Error';
}

function constructorOf(prototype: unknown): unknown {
  return typeof prototype === 'object' && prototype !== null
    ? (prototype as { constructor?: unknown }).constructor
    : undefined;
}

/** A built-in of any realm; not a user's own class of the same name. */
function isOfEngine(made: object, name: BuiltInError): boolean {
  // Node's DOMException is written in JavaScript; its code follows from its name.
  if (name === 'DOMException') return Object.hasOwn((made as typeof DOMException).prototype, 'code');
  return Function.prototype.toString.call(made).endsWith('{ [native code] }');
}

interface ErrorParts {
  readonly name: string;
  readonly message: string;
  readonly errors: readonly unknown[];
}

/** A new error of the class of that name. */
export function newError(className: string, base: BuiltInError, { name, message, errors }: ErrorParts): Error {
  const Class = className === base ? BUILT_IN[base] : madeClass(className, base);
  if (base === 'DOMException') return new (Class as typeof DOMException)(message, name);
  if (base === 'AggregateError') return new (Class as typeof AggregateError)(errors, message);
  return new (Class as ErrorConstructor)(message);
}

type AnyErrorClass = (typeof BUILT_IN)[BuiltInError];

/** One class for each name and base, so that errors revived twice are of one class. */
const made = new Map<string, AnyErrorClass>();

/** An empty class of that name: the name is data and is only ever set, never evaluated. */
function madeClass(name: string, base: BuiltInError): AnyErrorClass {
  const key = `${base} ${name}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const Base = BUILT_IN[base] as ErrorConstructor;
  const Made = class extends Base {};
  Object.defineProperty(Made, 'name', { value: name, configurable: true });
  made.set(key, Made as unknown as AnyErrorClass);
  return Made as unknown as AnyErrorClass;
}
