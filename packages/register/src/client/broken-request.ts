/** Whether the one who made a request was told that it takes long, beside the error that ended it. */
const TIMED_OUT = 'timedOut';

type Fields = Record<string, unknown>;

/** What is recorded of an error that ended a request: what it says, without the objects of a program or a library. */
export function toRecorded(error: Error, isTimedOut: boolean): Error {
  return Object.assign(copyOf(error), isTimedOut ? { [TIMED_OUT]: true } : {});
}

/** The error that the one who made the request is given again. */
export function fromRecorded(recorded: Error): { readonly error: Error; readonly isTimedOut: boolean } {
  const isTimedOut = TIMED_OUT in recorded;
  Reflect.deleteProperty(recorded, TIMED_OUT);
  return { error: recorded, isTimedOut };
}

/** What Node makes of an answer whose connection is gone. */
export function brokenOff(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}

export function isBrokenOff(error: Error & { readonly code?: unknown }): boolean {
  return error.message === 'aborted' && error.code === 'ECONNRESET';
}

/** Whether it tells of a connection that the other side closed, before an answer or within it. */
export function isClosed(error: Error & { readonly code?: unknown }): boolean {
  return isBrokenOff(error) || (error.message === 'socket hang up' && error.code === 'ECONNRESET');
}

function copyOf(error: Error): Error {
  const copy = new Error(error.message);
  if (error.name !== 'Error') copy.name = error.name;
  const { errors, ...fields } = error as Error & Fields;
  for (const [key, value] of Object.entries(fields)) if (isSimple(value)) Reflect.set(copy, key, value);
  // Of the addresses that a name has, each may have been tried.
  if (Array.isArray(errors)) Reflect.set(copy, 'errors', (errors as Error[]).map(copyOf));
  return copy;
}

function isSimple(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
