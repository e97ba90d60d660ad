import { childrenOf } from './mutate.js';
import type { Step, Stream } from './program.js';
import type { Wait } from './world.js';

/** Whether something may come of its end: not of a timeout that is clearly too late. */
export function isEffective({ to, mark }: Wait, margin: number): boolean {
  return mark.overAt === undefined || to - mark.overAt < margin;
}

/**
 * Whether two waits of the agent's own really raced each other: in a replay, where calls take no time, the later one
 * may begin earlier by all the time that lay between their beginnings. The one that began first and ended first, by
 * less than that, may then end last. One that began within another and ended within it does so in a replay, too.
 *
 * @param margin milliseconds that are too few to tell which of two ends came first
 */
export function hasRacingWaits(waits: readonly Wait[], margin: number): boolean {
  const inOrder = waits.filter((wait) => isEffective(wait, margin)).sort((a, b) => a.from - b.from);
  return inOrder.some((first, index) => inOrder.slice(index + 1).some((second) => areRacing(first, second, margin)));
}

function areRacing(first: Wait, second: Wait, margin: number): boolean {
  if (second.from >= first.to) return false;
  const lead = second.to - first.to;
  return lead < 0 ? -lead < margin : lead < second.from - first.from + margin;
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
