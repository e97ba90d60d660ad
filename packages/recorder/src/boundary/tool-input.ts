import { isArgsOnly, isPlainObject } from './plain.js';

/** The arguments of a call by the names of its parameters; null where there are more arguments than names. */
function byName(params: readonly string[], args: readonly unknown[]): Record<string, unknown> | null {
  if (args.length > params.length) return null;
  const input: Record<string, unknown> = Object.create(null);
  for (const [position, value] of args.entries()) input[params[position] as string] = value;
  return input;
}

/**
 * What is recorded as the input of a tool: by `params` where they name every argument; else `{}` for nothing,
 * one plain object as itself, and everything else, an object that looks like it included, as `{ args: [...] }`.
 */
export function toToolInput(args: readonly unknown[], params?: readonly string[]): unknown {
  const named = params === undefined ? null : byName(params, args);
  if (named !== null) return named;
  if (args.length === 0) return {};
  const only = args[0];
  return args.length === 1 && isPlainObject(only) && !isArgsOnly(only) ? only : { args: [...args] };
}
