import asyncHooks from 'node:async_hooks';
import { type BoundaryHandler, type Frame, slot } from '@stepfork/recorder/boundary';
import type { WayOut } from './way-out.js';

/** What is asked about the ways out of one run. */
export interface Watch {
  /** Whether what is tried in this frame may not be. */
  readonly stops: (way: WayOut, frame: Frame) => boolean;
  /** Tells the run's owner, and makes the error that the attempt fails with. */
  readonly stop: (way: WayOut, callSite: string | null) => Error;
  /** Requests that were stopped, by host and port: undici tries to connect for them all the same. */
  readonly requests: Map<string, Error>;
}

/** What all copies of this package in one process share: the first one to watch patches for all. */
interface Shared {
  readonly watches: Map<BoundaryHandler, Watch>;
  patched: { readonly undo: () => void; readonly unwatched: readonly string[] } | null;
}

/** On a core module, as the boundary's slot is, and for the same reasons. */
const KEY = Symbol.for('stepfork.guard/1');

function shared(): Shared {
  const home = asyncHooks as unknown as Record<symbol, Shared | undefined>;
  let found = home[KEY];
  if (found === undefined) {
    found = { watches: new Map(), patched: null };
    Object.defineProperty(home, KEY, { value: found });
  }
  return found;
}

/** @returns what of this Node could not be patched */
export function addWatch(
  run: BoundaryHandler,
  watch: Watch,
  patch: () => NonNullable<Shared['patched']>,
): readonly string[] {
  const state = shared();
  state.watches.set(run, watch);
  state.patched ??= patch();
  return state.patched.unwatched;
}

export function removeWatch(run: BoundaryHandler): void {
  const state = shared();
  if (!state.watches.delete(run) || state.watches.size > 0) return;
  state.patched?.undo();
  state.patched = null;
}

/** The watched run that the current code belongs to, or null. A run that ended is not watched: its pools live on. */
export function watchHere(): { readonly watch: Watch; readonly frame: Frame } | null {
  const { watches } = shared();
  for (let frame = slot().frames.getStore(); frame !== undefined; frame = frame.entered?.around) {
    const { handler } = frame;
    const watch = watches.get(handler);
    if (watch !== undefined && handler.active) return { watch, frame };
    if (handler.active) return null;
  }
  return null;
}
