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
  const arm = ownArm(timer);
  if (arm === null || typeof asked !== 'number') return false;
  // Only arming it tells the loop's time.
  arm();
  Object.assign(timer, { _idleTimeout: Math.max(1, end - (timer._idleStart ?? 0)) });
  arm();
  Object.assign(timer, { _idleTimeout: asked });
  return true;
}

/** What arms it anew, without whoever watches that; null for what is no timer of Node's. */
function ownArm(timer: Resource): (() => unknown) | null {
  const { refresh } = Object.getPrototypeOf(timer) as Resource;
  return typeof refresh === 'function' ? () => Reflect.apply(refresh, timer, []) : null;
}

/**
 * Tells when the agent arms a timer anew. That shows nowhere else: it may do so in the very millisecond in which it was
 * armed before.
 *
 * @returns ends it
 */
export function watchArming(timer: Resource, onArmed: () => void): () => void {
  const arm = ownArm(timer);
  if (arm === null) return () => {};
  const value = (): unknown => {
    const self = arm();
    onArmed();
    return self;
  };
  Object.defineProperty(timer, 'refresh', { value, configurable: true, writable: true, enumerable: false });
  return () => void Reflect.deleteProperty(timer, 'refresh');
}
