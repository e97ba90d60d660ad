import type { Frame } from '../boundary/handler.js';
import { frameHere } from '../boundary/here.js';
import { slot } from '../boundary/slot.js';

/** Shared by all copies of this package, so that a request that passes through two of them is recorded once. */
const MARK = Symbol.for('stepfork.fetching/1');

/** Runs what makes a request. A recorded fetch that it calls in turn is a part of that request. */
export function fetching<T>(make: () => T): T {
  const frame = slot().frames.getStore();
  if (frame === undefined) return make();
  const inner: Frame = Object.assign({ handler: frame.handler, call: frame.call, parent: frame }, { [MARK]: true });
  return slot().frames.run(inner, make);
}

/**
 * Whether a request that is made here is a run's, and not a part of another request. One outside every run's context may
 * be anybody's, another user's in the same server: it is in no recording. A replay must not let it out.
 */
export function isOfRun(): boolean {
  const frame = frameHere();
  if (frame === undefined) return [...slot().active].some(({ mode }) => mode === 'replay');
  return frame.handler.unrecorded !== true && !isPartOfRequest(frame);
}

/** What becomes of a request that is made here: it is recorded, answered from a recording, or neither. */
export function modeHere(): 'record' | 'replay' | null {
  if (!isOfRun()) return null;
  return frameHere()?.handler.mode ?? 'replay';
}

/** Whether this is the frame of a request that is being made. */
export function isPartOfRequest(frame: Frame): boolean {
  return Object.hasOwn(frame, MARK);
}

/** Whether a replay that a request made here belongs to holds one to that tool. */
export function isReplayed(tool: string): boolean {
  const frame = frameHere();
  const handlers = frame === undefined ? [...slot().active] : [frame.handler];
  return handlers.some((handler) => handler.expects?.('tool', tool) === true);
}
