/** A recorded error, its parts decoded. */
export interface RecordedError {
  readonly name: string;
  readonly message: string;
  /** `code`, `status`, `cause`, `errors`, `class`, `fields`, as far as recorded. */
  readonly parts: Readonly<Record<string, unknown>>;
}

const BUILT_IN = { Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError } as const;

/** An error like the recorded one: of the built-in class where it was one, else an Error with its name and fields. */
export function reviveError({ name, message, parts }: RecordedError): Error {
  const error = construct(name, message, parts);
  define(error, 'cause', parts);
  define(error, 'errors', parts);
  if (error.name !== name) hidden(error, 'name', name);
  assign(error, 'code', parts.code, Object.hasOwn(parts, 'code'));
  assign(error, 'status', parts.status, Object.hasOwn(parts, 'status'));
  const fields = parts.fields;
  if (typeof fields === 'object' && fields !== null) {
    for (const [key, value] of Object.entries(fields)) assign(error, key, value, true);
  }
  return error;
}

function construct(name: string, message: string, parts: Readonly<Record<string, unknown>>): Error {
  if (parts.class === 'DOMException') return new DOMException(message, name);
  if (name === 'AggregateError' && Array.isArray(parts.errors)) return new AggregateError(parts.errors, message);
  const BuiltIn = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name as keyof typeof BUILT_IN] : Error;
  return new BuiltIn(message);
}

function define(error: Error, key: 'cause' | 'errors', parts: Readonly<Record<string, unknown>>): void {
  if (Object.hasOwn(parts, key)) hidden(error, key, parts[key]);
}

/** As the engine sets it: there, but not listed. */
function hidden(error: Error, key: string, value: unknown): void {
  Object.defineProperty(error, key, { value, writable: true, enumerable: false, configurable: true });
}

function assign(error: Error, key: string, value: unknown, present: boolean): void {
  // DOMException's own `code` follows from its name and cannot be set.
  if (!present || (key in error && (error as unknown as Record<string, unknown>)[key] === value)) return;
  Object.defineProperty(error, key, { value, writable: true, enumerable: true, configurable: true });
}
