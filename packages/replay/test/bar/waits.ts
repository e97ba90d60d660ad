import { childrenOf } from './mutate.js';
import type { Step, Stream } from './program.js';
import type { Wait } from './world.js';

/** Whether something may come of its end: not of a timeout that is clearly too late. */
export function isEffective({ to, mark }: Wait, margin: number): boolean {
  return mark.overAt === undefined || to - mark.overAt < margin;
}

/**
 * Whether two waits of the agent's own ended so close to each other that nothing tells which was first: not even their
 * callbacks need come in that order.
 *
 * @param margin milliseconds that are too few to tell
 */
export function hasRacingWaits(waits: readonly Wait[], margin: number): boolean {
  const inOrder = waits.filter((wait) => isEffective(wait, margin)).sort((a, b) => a.to - b.to);
  return inOrder.some((wait, index) => {
    const next = inOrder[index + 1];
    return next !== undefined && next.from < wait.to && next.to - wait.to < margin;
  });
}

/** Whether parallel branches of the program may race each other by promise callbacks, whose order no recording holds. */
export function hasRacingCallbacks(step: Step): boolean {
  return hasInstantCalls(step) && isParallel(step);
}

function hasInstantCalls(step: Step): boolean {
  switch (step.type) {
    case 'call':
      return step.isInstant;
    case 'retry':
    case 'poll':
      return step.call.isInstant;
    case 'stream':
      // A web stream that is cancelled takes promise callbacks of its own.
      return step.form === 'generator' || isCancelledWebStream(step) || childrenOf(step).some(hasInstantCalls);
    default:
      return childrenOf(step).some(hasInstantCalls);
  }
}

function isCancelledWebStream({ form, reads, stops }: Stream): boolean {
  return form === 'web' && stops === 'cancels' && Number.isFinite(reads);
}

const PARALLEL: readonly Step['type'][] = ['all', 'settled', 'race', 'any', 'timeout', 'background'];

function isParallel(step: Step): boolean {
  return PARALLEL.includes(step.type) || childrenOf(step).some(isParallel);
}
