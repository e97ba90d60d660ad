import { childrenOf } from './mutate.js';
import type { Step } from './program.js';

/** Whether two uninstrumented waits of the program can be going on at once. */
export function hasRacingWaits(step: Step): boolean {
  return racingIn(step).races;
}

/** Whether the program waits for anything but its calls. */
export function hasWaits(step: Step): boolean {
  return racingIn(step).waits;
}

/** Whether parallel branches of the program may race each other by promise callbacks, whose order no recording holds. */
export function hasInstantCalls(step: Step): boolean {
  switch (step.type) {
    case 'call':
      return step.isInstant;
    case 'retry':
    case 'poll':
      return step.call.isInstant;
    default:
      return childrenOf(step).some(hasInstantCalls);
  }
}

interface Found {
  readonly waits: boolean;
  readonly races: boolean;
  /** Something that is not awaited goes on beside what follows. */
  readonly lingers: boolean;
}

const NOTHING: Found = { waits: false, races: false, lingers: false };

function racingIn(step: Step): Found {
  switch (step.type) {
    case 'call':
      return NOTHING;
    case 'wait':
      return { ...NOTHING, waits: true };
    case 'retry':
      return { ...NOTHING, waits: step.backoff > 0 };
    case 'poll':
      return { ...NOTHING, waits: step.pause > 0 };
    case 'timeout': {
      const inner = racingIn(step.step);
      // The timer, and a step that lost against it, go on beside what follows.
      return { waits: true, races: inner.races || inner.waits, lingers: true };
    }
    case 'background': {
      const inner = racingIn(step.step);
      return { ...inner, lingers: inner.lingers || inner.waits };
    }
    case 'seq':
      return inSequence(step.steps.map(racingIn));
    case 'branch': {
      const [first, ...arms] = [step.step, ...step.arms].map(racingIn) as [Found, Found, Found];
      const [a, b] = arms.map((arm) => inSequence([first, arm])) as [Found, Found];
      return { waits: a.waits || b.waits, races: a.races || b.races, lingers: a.lingers || b.lingers };
    }
    case 'all':
    case 'settled':
      return together(step.steps.map(racingIn), false);
    case 'race':
    case 'any':
      return together(step.steps.map(racingIn), true);
  }
}

function inSequence(parts: readonly Found[]): Found {
  let lingers = false;
  let races = false;
  for (const part of parts) {
    races ||= part.races || (lingers && part.waits);
    lingers ||= part.lingers;
  }
  return { waits: parts.some((part) => part.waits), races, lingers };
}

function together(parts: readonly Found[], losersGoOn: boolean): Found {
  const waiting = parts.filter((part) => part.waits).length;
  return {
    waits: waiting > 0,
    races: parts.some((part) => part.races) || waiting > 1,
    lingers: parts.some((part) => part.lingers) || (losersGoOn && waiting > 0),
  };
}
