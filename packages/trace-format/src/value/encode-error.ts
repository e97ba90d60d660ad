import type { Json } from '../json.js';
import type { PartEncoder } from './encode-builtin.js';
import { errorClassOf, likelyBase } from './error-class.js';
import { tagged } from './tags.js';

/** What is there but not listed: set by the engine, or given by the class (a DOMException inherits its code). */
const UNLISTED = ['code', 'status', 'cause', 'errors', 'error', 'suppressed'] as const;

type KnownError = Error & Partial<Record<(typeof UNLISTED)[number], unknown>>;

/** An error as a tag: all that can be seen of it without its stack, which speaks of one machine. */
export function encodeError(error: Error, encoder: PartEncoder, depth: number): Json {
  const known: KnownError = error;
  const name = String(known.name);
  const message = String(known.message);
  const parts: { [name: string]: Json } = {
    name: encoder.part('name', name, depth + 1),
    message: encoder.part('message', message, depth + 1),
  };
  const made = errorClassOf(error);
  const className = made.name ?? name;
  if (className !== name) parts.class = encoder.part('class', className, depth + 1);
  if (made.base !== likelyBase(className, name)) parts.base = made.base;
  const text = ownText(error, name, message);
  if (text !== null) parts.text = encoder.part('text', text, depth + 1);
  for (const part of UNLISTED) {
    if (isUnlisted(known, part)) parts[part] = encoder.part(part, known[part], depth + 1);
  }
  const keys = Object.keys(error).filter((key) => key !== 'stack');
  return tagged('error', keys.length === 0 ? parts : { ...parts, fields: encoder.fields(error, keys, depth + 2) });
}

function isUnlisted(error: KnownError, name: (typeof UNLISTED)[number]): boolean {
  const own = Object.getOwnPropertyDescriptor(error, name);
  if (own !== undefined) return !own.enumerable;
  return (name === 'code' || name === 'status') && error[name] !== undefined;
}

/** What `String(error)` gives, where that is not what its name and message make. */
function ownText(error: Error, name: string, message: string): string | null {
  let text: string;
  try {
    text = String(error);
  } catch {
    return null;
  }
  if (text === usualText(name, message)) return null;
  const stack: unknown = error.stack;
  return typeof stack === 'string' && stack !== text && text.includes(stack) ? null : text;
}

function usualText(name: string, message: string): string {
  if (name === '') return message;
  return message === '' ? name : `${name}: ${message}`;
}
