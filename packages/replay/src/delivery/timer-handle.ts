/** What a timer, or a handle, tells of itself; internals of Node's that have been there since its beginning. */
export interface Resource {
  readonly hasRef?: () => boolean;
  /** Milliseconds. */
  readonly _idleTimeout?: number;
  /** Loop time at which it was last armed. */
  readonly _idleStart?: number | null;
  /** Milliseconds, of an interval. */
  readonly _repeat?: number | null;
  readonly _destroyed?: boolean;
  /** The next one in Node's list; null where it is in none. */
  readonly _idleNext?: object | null;
  /** What it calls; null once the agent cleared it. */
  readonly _onTimeout?: unknown;
  /** Of a timer: arms it anew. */
  readonly refresh?: () => unknown;
  /** Of a job of node:crypto; one that is done synchronously has none, and stays until it is collected. */
  readonly ondone?: unknown;
}

export function isInterval({ _repeat }: Resource): boolean {
  return typeof _repeat === 'number';
}

/** Whether its callback runs, or has run: Node has taken it out of its list. So it has one that was cleared. */
export function isOut({ _idleNext }: Resource): boolean {
  return _idleNext === null;
}

/** Whether it is over because its time was, not because the agent cleared it. */
export function hasFired(timer: Resource): boolean {
  return isOut(timer) && timer._onTimeout !== null;
}

/**
 * Has a timer end at a loop time, at the soonest in the next turn but one. What the agent asked for stays, for a
 * `refresh()` of its own.
 *
 * @returns whether that can be
 */
export function rearm(timer: Resource, end: number): boolean {
  const asked = timer._idleTimeout;
  if (typeof timer.refresh !== 'function' || typeof asked !== 'number') return false;
  // Only arming it tells the loop's time.
  timer.refresh();
  Object.assign(timer, { _idleTimeout: Math.max(1, end - (timer._idleStart ?? 0)) });
  timer.refresh();
  Object.assign(timer, { _idleTimeout: asked });
  return true;
}
