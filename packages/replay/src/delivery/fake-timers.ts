/** What sinon's fake timers, which vitest and jest use, leave on the functions that they replace. */
interface FakedTimer {
  readonly clock?: { readonly countTimers?: () => number };
}

/** Whether a test runner's fake timers hold something: the engine does not see those. */
export function hasFakeTimersPending(): boolean {
  const { clock } = globalThis.setTimeout as FakedTimer;
  return typeof clock?.countTimers === 'function' && clock.countTimers() > 0;
}
