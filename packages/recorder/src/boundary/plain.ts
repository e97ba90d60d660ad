import { isPlainObject as isPlain } from '@stepfork/trace-format/write';

/** A plain data object of any realm. What cannot even be looked at, a revoked proxy, is none. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  try {
    return typeof value === 'object' && value !== null && isPlain(value);
  } catch {
    return false;
  }
}

/** Whether the one thing that `value` holds is a property `args`, the shape that a list of arguments is stored in. */
export function isArgsOnly(value: unknown): value is { readonly args: unknown } {
  if (!isPlainObject(value)) return false;
  try {
    const keys = Object.keys(value);
    return keys.length === 1 && keys[0] === 'args';
  } catch {
    return false;
  }
}
