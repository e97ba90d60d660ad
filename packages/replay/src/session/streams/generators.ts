import type { Playback } from './playback.js';

/**
 * A generator that plays a stream. It is the engine's own, so that it is one in every respect. What it cannot see
 * from within, that it was closed before its first step, is seen by a method that it inherits.
 */
export function createGenerator(playback: Playback): Generator<unknown, unknown, unknown> {
  function* play(): Generator<unknown, unknown, unknown> {
    try {
      for (let sent: unknown; ; ) {
        const { done, value } = playback.pullNow(sent);
        if (done === true) return value;
        sent = undefined;
        try {
          sent = yield value;
        } catch (thrown) {
          if (!playback.catches()) throw thrown;
        }
      }
    } finally {
      playback.cancel();
    }
  }
  watchClosing(play.prototype, playback);
  return play();
}

/** The same for an async generator. */
export function createAsyncGenerator(playback: Playback): AsyncGenerator<unknown, unknown, unknown> {
  async function* play(): AsyncGenerator<unknown, unknown, unknown> {
    try {
      for (let sent: unknown; ; ) {
        const { done, value } = await playback.pull(sent);
        if (done === true) return value;
        sent = undefined;
        try {
          sent = yield value;
        } catch (thrown) {
          if (!playback.catches()) throw thrown;
        }
      }
    } finally {
      playback.cancel();
    }
  }
  watchClosing(play.prototype, playback);
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

interface Closable {
  readonly next: (...sent: unknown[]) => unknown;
  readonly return: (value: unknown) => unknown;
  readonly throw: (thrown: unknown) => unknown;
}

/** Objects of one generator function inherit from its own prototype, and there from the engine's. */
function watchClosing(prototype: object, playback: Playback): void {
  const inherited = Object.getPrototypeOf(prototype) as Closable;
  let hasBegun = false;
  const define = (name: keyof Closable, isClosing: boolean): void => {
    const method = function (this: unknown, ...args: unknown[]): unknown {
      // A step that waits for what the recording does not hold would never let it be closed.
      if (isClosing && (!hasBegun || playback.isPastCancellation)) playback.cancel();
      hasBegun = true;
      return Reflect.apply(inherited[name], this, args);
    };
    Object.defineProperty(prototype, name, { value: method, writable: true, configurable: true });
  };
  define('next', false);
  define('return', true);
  define('throw', true);
}
