import { AsyncResource } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';

type Listener = (event: string | symbol, first: unknown) => void;

/** What several emitters emit. */
export interface Emits {
  /** Told of all that is emitted, before whoever listens. */
  readonly tap: (emitter: EventEmitter, listener: Listener) => void;
  /** From now on nobody else is told. Does nothing after `release`. */
  readonly hold: () => void;
  /** Tells what was held, in order and in the async context that it was emitted in. */
  readonly release: () => void;
}

export function emitsOf(): Emits {
  let held: (() => void)[] | null = null;
  let isReleased = false;
  return {
    tap(emitter, listener) {
      const { emit } = emitter;
      emitter.emit = (event, ...args: unknown[]) => {
        listener(event, args[0]);
        const tell = (): boolean => Reflect.apply(emit, emitter, [event, ...args]) as boolean;
        if (held === null) return tell();
        held.push(AsyncResource.bind(() => void tell()));
        return emitter.listenerCount(event) > 0;
      };
    },
    hold() {
      if (!isReleased) held ??= [];
    },
    release() {
      isReleased = true;
      // Each for itself: what a listener throws is the program's, and keeps nothing of the rest back.
      const next = (): void => {
        const tell = held?.shift();
        if (tell === undefined) held = null;
        else {
          queueMicrotask(next);
          tell();
        }
      };
      next();
    },
  };
}
