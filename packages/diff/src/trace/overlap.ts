import type { Step } from './steps.js';

/**
 * Whether two steps of a run went on at the same time, so that their order means nothing. Steps in different frames
 * are as concurrent as those frames; a call and what happened in it are not.
 */
export function overlapped(steps: readonly Step[], first: number, second: number): boolean {
  let x = first;
  let y = second;
  // A frame stands before what happened in it: whoever comes later is lifted, until both are in one frame.
  for (;;) {
    const one = steps[x] as Step;
    const other = steps[y] as Step;
    if (x === y) return false;
    if (one.frame === other.frame) return one.began < other.began ? other.began < one.ended : one.began < other.ended;
    if (one.frame > other.frame) x = one.frame;
    else y = other.frame;
  }
}
