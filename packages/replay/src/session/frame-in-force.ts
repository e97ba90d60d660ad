import { type Frame, slot } from '@stepfork/recorder/boundary';

/** The frame that the current code runs in. A run that entered its context by itself does not count once it is over. */
export function frameInForce(): Frame | undefined {
  let frame = slot().frames.getStore();
  while (frame?.entered !== undefined && !frame.handler.active) frame = frame.entered.around;
  return frame;
}
