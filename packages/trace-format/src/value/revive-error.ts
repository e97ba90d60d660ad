import { isBuiltInError, likelyBase, newError } from './error-class.js';

/** A recorded error, its parts decoded. */
export interface RecordedError {
  readonly name: string;
  readonly message: string;
  /** `class`, `base`, `text`, `code`, `status`, `cause`, `errors`, `fields`, …, as far as recorded. */
  readonly parts: Readonly<Record<string, unknown>>;
}

/**
 * An error like the recorded one: of the built-in class where it was one, else of an empty class of that name upon
 * the built-in class it came from, with the same properties in the same order.
 */
export function reviveError({ name, message, parts }: RecordedError): Error {
  const className = typeof parts.class === 'string' ? parts.class : name;
  const base = isBuiltInError(parts.base) ? parts.base : likelyBase(className, name);
  const errors = Array.isArray(parts.errors) ? parts.errors : [];
  const error = newError(className, base, { name, message, errors });
  if (!Object.hasOwn(parts, 'errors')) Reflect.deleteProperty(error, 'errors');
  for (const part of ['cause', 'errors', 'error', 'suppressed']) {
    if (Object.hasOwn(parts, part)) define(error, part, parts[part], false);
  }
  for (const part of ['code', 'status']) {
    // DOMException's own `code` follows from its name.
    if (Object.hasOwn(parts, part) && Reflect.get(error, part) !== parts[part]) {
      define(error, part, parts[part], false);
    }
  }
  if (error.name !== name) define(error, 'name', name, false);
  if (typeof parts.text === 'string') define(error, 'toString', textOnly(parts.text), false);
  if (typeof parts.fields === 'object' && parts.fields !== null) {
    for (const [key, value] of Object.entries(parts.fields)) {
      // A property that is there already would keep its place.
      Reflect.deleteProperty(error, key);
      define(error, key, value, true);
    }
  }
  return error;
}

function textOnly(text: string): () => string {
  return () => text;
}

function define(error: Error, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(error, key, { value, writable: true, enumerable, configurable: true });
}
