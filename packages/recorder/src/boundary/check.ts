import { StepforkError } from '@stepfork/trace-format/write';

/** A name that the format can hold: UTF-8 has no form for half a surrogate pair. */
export function isName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && !/\p{Surrogate}/u.test(name);
}

export function checkName(name: unknown, where: string): void {
  if (isName(name)) return;
  throw new StepforkError('invalid_argument', `${where} needs a name that is a non-empty string`);
}

export function checkFunction(fn: unknown, where: string): void {
  if (typeof fn === 'function') return;
  throw new StepforkError('invalid_argument', `${where} needs a function, not ${fn === null ? 'null' : typeof fn}`);
}
