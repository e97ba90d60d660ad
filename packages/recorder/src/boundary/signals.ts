import { types } from 'node:util';

/** What an option that takes a signal is called, by `fetch` and nearly everybody, and by the AI SDK. */
const NAMES = ['signal', 'abortSignal'] as const;
const NONE: readonly AbortSignal[] = [];

/**
 * The signals among a call's arguments, or in options among them, by which its caller may yet give it up. Getters and
 * proxies are the agent's code, and are not run.
 */
export function signalsIn(args: readonly unknown[]): readonly AbortSignal[] {
  let found: AbortSignal[] | null = null;
  for (const arg of args) {
    if (typeof arg !== 'object' || arg === null || types.isProxy(arg)) continue;
    for (const candidate of [arg, ...NAMES.map((name) => Object.getOwnPropertyDescriptor(arg, name)?.value)]) {
      if (!isOpenSignal(candidate)) continue;
      found ??= [];
      found.push(candidate);
    }
  }
  return found ?? NONE;
}

/** Of any realm or library; one that is aborted already tells nothing more. */
function isOpenSignal(value: unknown): value is AbortSignal {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return false;
  return Object.prototype.toString.call(value) === '[object AbortSignal]' && (value as AbortSignal).aborted === false;
}

/** Whether one of them is aborted by now. */
export function isAborted(signals: readonly AbortSignal[] | undefined): boolean {
  return signals?.some(({ aborted }) => aborted) === true;
}
