import { isArgsOnly, isPlainObject } from './plain.js';

/**
 * The arguments of a traced agent as the run's input, which {@link fromRunInput} takes apart again: nothing is
 * `null`, one plain object is itself, and everything else is `{ args: [...] }`, a lone object that looks like
 * that included.
 */
export function toRunInput(args: readonly unknown[]): unknown {
  if (args.length === 0) return null;
  const only = args[0];
  return args.length === 1 && isPlainObject(only) && !isArgsOnly(only) ? only : { args: [...args] };
}

/** The `input` option of `record` as the run's input: itself wherever {@link fromRunInput} would give it back. */
export function toRecordInput(input: unknown): unknown {
  if (input === undefined) return null;
  return input === null || isArgsOnly(input) ? { args: [input] } : input;
}

/** The arguments that a run's stored input stands for, to be spread into the entrypoint. */
export function fromRunInput(input: unknown): unknown[] {
  if (input === null || input === undefined) return [];
  return isArgsOnly(input) && Array.isArray(input.args) ? [...input.args] : [input];
}
