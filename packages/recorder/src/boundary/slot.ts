import type { AsyncLocalStorage } from 'node:async_hooks';
import asyncHooks from 'node:async_hooks';
import type { BoundaryHandler, Frame } from './handler.js';

/** What all copies of this package in one process share. */
export interface Slot {
  readonly version: 1;
  readonly frames: AsyncLocalStorage<Frame>;
  /** Handlers whose run is going on, for boundaries that were reached without any context. */
  readonly active: Set<BoundaryHandler>;
  /** In force where no context is: that of a process which is one run. */
  base?: Frame | undefined;
  /** What the operator was told; absent where nothing was. */
  warned?: Set<string>;
}

/**
 * The slot lives on node:async_hooks, not on `globalThis`: core modules are one object for jest's realms, for
 * the ESM and the CommonJS copy of a package, and for a bundled CLI.
 */
const KEY = Symbol.for('stepfork.boundary/1');

export function slot(): Slot {
  const home = asyncHooks as unknown as Record<symbol, Slot | undefined>;
  let found = home[KEY];
  if (found === undefined) {
    found = { version: 1, frames: new asyncHooks.AsyncLocalStorage<Frame>(), active: new Set() };
    Object.defineProperty(home, KEY, { value: found });
  }
  return found;
}
