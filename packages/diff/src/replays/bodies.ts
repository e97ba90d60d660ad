import { LEFT_OUT, type Step } from '../trace/steps.js';

/** By step: 1 for a call in whose body something happened. */
export function callsWithBody(steps: readonly Step[]): Uint8Array {
  const has = new Uint8Array(steps.length);
  for (const step of steps) if (step.frame >= 0 && isOfBody(steps, step)) has[step.frame] = 1;
  return has;
}

/** By step: 1 for what happened, at any depth, in the body of one of these calls. */
export function insideOf(steps: readonly Step[], calls: Uint8Array): Uint8Array {
  const isInside = new Uint8Array(steps.length);
  // A call stands before what happened in it.
  for (const [index, step] of steps.entries()) {
    if (step.frame < 0) continue;
    if (isInside[step.frame] === 1 || (calls[step.frame] === 1 && isOfBody(steps, step))) isInside[index] = 1;
  }
  return isInside;
}

/** Steps of which these take no part. All keep their places. */
export function leaveOut(steps: readonly Step[], out: Uint8Array): readonly Step[] {
  return steps.map((step, index) => (out[index] === 1 ? { ...step, type: LEFT_OUT } : step));
}

/** The error with which a call ended is told of the call, whether its body ran or not. */
function isOfBody(steps: readonly Step[], { type, began, frame }: Step): boolean {
  return type !== 'error' || began < (steps[frame] as Step).ended;
}
