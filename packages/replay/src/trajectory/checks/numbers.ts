import { type Check, toolCallsIn } from '../check.js';
import { listCalls, times, toolNamed } from '../wording.js';

/** Some call of the tool, whatever came of it. */
export function called(name: string): Check {
  return {
    key: 'called',
    faults: (calls) =>
      toolCallsIn(calls, name).length > 0 ? [] : [`expected ${toolNamed(name)} to be called, but it was not`],
  };
}

export function notCalled(name: string): Check {
  return {
    key: 'not_called',
    faults: (calls) => {
      const found = toolCallsIn(calls, name);
      if (found.length === 0) return [];
      return [
        `expected ${toolNamed(name)} not to be called, but it was called ${times(found.length)}: ${listCalls(found)}`,
      ];
    },
  };
}

export function calledTimes(name: string, count: number): Check {
  return {
    key: 'counts',
    faults: (calls) => {
      const found = toolCallsIn(calls, name);
      if (found.length === count) return [];
      const came = found.length === 0 ? 'not called' : `called ${times(found.length)}: ${listCalls(found)}`;
      return [`expected ${toolNamed(name)} to be called ${times(count)}, but it was ${came}`];
    },
  };
}

/** At most so many calls, of tools and of models. */
export function stepsAtMost(most: number): Check {
  return {
    key: 'max_steps',
    faults: ({ length }) =>
      length <= most
        ? []
        : [
            `expected at most ${most === 1 ? '1 call' : `${most} calls`} of tools and models, but the run made ${length}`,
          ],
  };
}
