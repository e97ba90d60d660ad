import { findUnservable, isJsonObject, type Json, setKey } from '@stepfork/trace-format';

/** A recorded error as far as it can be given back. */
export interface ServableError {
  readonly details: Json;
  /** Fields that it had and that could not be recorded. */
  readonly lost: readonly string[];
}

/**
 * Leaves out of a recorded error the fields that hold a placeholder. The errors of SDKs carry requests, responses and
 * headers of classes that nobody records, and agents look at none of them: name, message, code and status are what
 * their catch reads. Only fields go, whole: what is left is as it was recorded.
 */
export function withoutPlaceholders(details: Json): ServableError {
  if (findUnservable(details) === null || !isJsonObject(details)) return { details, lost: [] };
  const lost: string[] = [];
  const error: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(details)) {
    if (key === 'fields' && isJsonObject(value)) setKey(error, key, servableFields(value, lost));
    else if (key === 'cause') addCause(error, value, lost);
    else setKey(error, key, value);
  }
  return { details: error, lost };
}

function servableFields(fields: { readonly [key: string]: Json }, lost: string[]): Json {
  const servable: { [key: string]: Json } = {};
  for (const [name, value] of Object.entries(fields)) {
    if (findUnservable(value) === null) setKey(servable, name, value);
    else lost.push(name);
  }
  return servable;
}

function addCause(error: { [key: string]: Json }, cause: Json, lost: string[]): void {
  const servable = withoutPlaceholders(cause);
  if (findUnservable(servable.details) === null) {
    setKey(error, 'cause', servable.details);
    lost.push(...servable.lost.map((name) => `cause.${name}`));
  } else {
    lost.push('cause');
  }
}
