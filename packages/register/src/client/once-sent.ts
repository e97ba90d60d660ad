import { AsyncResource } from 'node:async_hooks';
import type { ClientRequest } from 'node:http';
import process from 'node:process';

/** As it was when the module was loaded: a test runner may replace it. */
const { nextTick } = process;

/** When a request is on its way. */
export interface Sent {
  readonly isBegun: () => boolean;
  /** Its program has written it: it is sent in this tick, unless the program gives it up in the same. */
  readonly soon: () => void;
  readonly now: () => void;
}

/** @param begin called once, in the async context of now; never for one that was given up before it was sent */
export function onceSent(request: ClientRequest, begin: () => void): Sent {
  let isBegun = false;
  const now = AsyncResource.bind((): void => {
    if (isBegun) return;
    isBegun = true;
    begin();
  });
  const soon = (): void => {
    nextTick(() => {
      if (!request.destroyed) now();
    });
  };
  return { isBegun: () => isBegun, soon, now };
}
