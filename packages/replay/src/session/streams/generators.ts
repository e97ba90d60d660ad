import type { Act } from '@stepfork/recorder/boundary';
import type { Playback } from './playback.js';

/**
 * A generator that plays a stream. It is the engine's own, so that it is one in every respect; what its consumer does to
 * it is handed on, since what comes of that is the recording's to say.
 */
export function createGenerator(playback: Playback): Generator<unknown, unknown, unknown> {
  const acts: Act[] = [];
  const step = () => playback.stepNow(nextOf(acts));
  const steps = { next: step, return: step, throw: step, [Symbol.iterator]: () => steps };
  function* play(): Generator<unknown, unknown, unknown> {
    try {
      return yield* steps;
    } finally {
      playback.cancel();
    }
  }
  watchActs(play.prototype, playback, acts);
  return play();
}

/** The same for an async generator. */
export function createAsyncGenerator(playback: Playback): AsyncGenerator<unknown, unknown, unknown> {
  const acts: Act[] = [];
  const step = () => playback.step(nextOf(acts));
  const steps = { next: step, return: step, throw: step, [Symbol.asyncIterator]: () => steps };
  async function* play(): AsyncGenerator<unknown, unknown, unknown> {
    try {
      return yield* steps;
    } finally {
      playback.cancel();
    }
  }
  watchActs(play.prototype, playback, acts);
  return play();
}

/** A generator whose first step fails: a generator function itself never throws. */
export function createFailingGenerator(failure: unknown): Generator<never, void, unknown> {
  function* fail(): Generator<never, void, unknown> {
    yield raise(failure);
  }
  return fail();
}

/** The same for an async generator. */
export function createFailingAsyncGenerator(fail: () => Promise<never>): AsyncGenerator<never, void, unknown> {
  async function* play(): AsyncGenerator<never, void, unknown> {
    yield await fail();
  }
  return play();
}

function raise(failure: unknown): never {
  throw failure;
}

/** There is one for each step that the engine takes, in the order in which it takes them. */
function nextOf(acts: Act[]): Act {
  return acts.shift() as Act;
}

const ACTS = ['next', 'return', 'throw'] as const;

/**
 * Keeps what the consumer does, as it does it: the engine waits for a promise that it is given. Nor does it tell of a
 * `return` or a `throw` before the first step: one that something is recorded of is made a first step. Objects of one
 * generator function inherit from its own prototype, and there from the engine's.
 */
function watchActs(prototype: object, playback: Playback, acts: Act[]): void {
  const inherited = Object.getPrototypeOf(prototype) as Record<Act['by'], (value: unknown) => unknown>;
  let hasBegun = false;
  for (const by of ACTS) {
    const method = function (this: unknown, ...args: unknown[]): unknown {
      // A step that waits for what the recording does not hold would never let it be closed.
      if (by !== 'next' && playback.isPastCancellation) playback.cancel();
      const act = { by, value: args[0] };
      const isFirst = !hasBegun;
      hasBegun = true;
      if (isFirst && by === 'return' && playback.ends(act)) return Reflect.apply(inherited.return, this, args);
      acts.push(act);
      return Reflect.apply(isFirst ? inherited.next : inherited[by], this, args);
    };
    Object.defineProperty(prototype, by, { value: method, writable: true, configurable: true });
  }
}
