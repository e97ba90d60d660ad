import type { Frame } from './handler.js';
import { slot } from './slot.js';

/**
 * The frame in force. A run that entered its context itself (`startRecording`) cannot take it back from everything
 * that has seen it: once it is over, what was around it counts instead.
 */
export function frameHere(): Frame | undefined {
  const { frames, base } = slot();
  let frame = frames.getStore() ?? base;
  while (frame?.entered !== undefined && !frame.handler.active) frame = frame.entered.around;
  return frame;
}

/**
 * The frame in which an agent enters a context itself. What it entered is seen by its caller too, up to the next
 * `await` of that: `Promise.all([agent(1), agent(2)])` starts the second in the first one's context. A run of the
 * same agent, reached at no call of it, is taken for such a sibling.
 */
export function frameAround(agentName: string): Frame | undefined {
  let frame = frameHere();
  while (frame?.entered?.agentName === agentName) frame = frame.entered.around;
  return frame;
}

/** Whether a frame is another one, or lies in it. */
export function isWithin(frame: Frame | undefined, outer: Frame): boolean {
  for (let at = frame ?? null; at !== null; at = at.parent) if (at === outer) return true;
  return false;
}
