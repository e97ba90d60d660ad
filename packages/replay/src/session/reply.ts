import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from '../delivery/clock.js';

/** A refusal's own turn of the loop is no wait of the agent's. */
const outside = AsyncLocalStorage.snapshot();

/** What a boundary is to do for its caller. */
export type Reply =
  | { readonly type: 'return'; readonly value: unknown }
  | { readonly type: 'throw'; readonly thrown: unknown };

export function returning(value: unknown): Reply {
  return { type: 'return', value };
}

export function throwing(thrown: unknown): Reply {
  return { type: 'throw', thrown };
}

/**
 * A promise that is rejected a turn of the loop later and that nobody is bound to look at. At once would be too soon:
 * an agent that tries again for ever, without a wait of its own, would never let the replay end.
 */
export function rejectedLater(reason: unknown): Promise<never> {
  const rejected = new Promise<never>((_, reject) => outside(() => setImmediate(() => reject(reason))));
  rejected.catch(() => {});
  return rejected;
}

export function rejecting(reason: unknown): Reply {
  return returning(rejectedLater(reason));
}

/** Does it. */
export function give(reply: Reply): unknown {
  if (reply.type === 'throw') throw reply.thrown;
  return reply.value;
}
