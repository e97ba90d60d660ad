import { inspect } from 'node:util';
import { clearTimeout, setTimeout } from '../../clock.js';

const FIRST_MS = 4;
const LAST_MS = 1_000;

/** What is done about a promise that nobody had asked when it was given. */
interface Unasked {
  readonly state: { readonly isAsked: boolean };
  readonly onFulfilled: () => void;
}

/** Given since the last look; most are asked at once. */
const fresh = new Map<Promise<unknown>, Unasked>();
/** Seen pending. They are not kept from being collected. */
const pending = new Map<WeakRef<Promise<unknown>>, Unasked>();
let next: { readonly timer: NodeJS.Timeout; readonly ms: number } | null = null;

/**
 * Looks what becomes of a promise without asking it: to ask it would make it count as handled. Looks rarely, and ever
 * more rarely.
 *
 * @param onFulfilled called soon after it was fulfilled, and not at all where it was rejected
 */
export function watchUnasked(promise: Promise<unknown>, state: Unasked['state'], onFulfilled: () => void): void {
  fresh.set(promise, { state, onFulfilled });
  if (next === null || next.ms > FIRST_MS) lookIn(FIRST_MS);
}

/** It need not be looked at any more. */
export function unwatchUnasked(promise: Promise<unknown>): void {
  fresh.delete(promise);
}

function lookIn(ms: number): void {
  if (next !== null) clearTimeout(next.timer);
  const timer = setTimeout(() => {
    next = null;
    look();
    if (pending.size + fresh.size > 0 && next === null) lookIn(Math.min(ms * 2, LAST_MS));
  }, ms);
  next = { timer: timer.unref(), ms };
}

function look(): void {
  for (const [reference, unasked] of pending) {
    const promise = reference.deref();
    if (promise === undefined || unasked.state.isAsked || isSettled(promise, unasked)) pending.delete(reference);
  }
  for (const [promise, unasked] of [...fresh]) {
    fresh.delete(promise);
    if (!isSettled(promise, unasked)) pending.set(new WeakRef(promise), unasked);
  }
}

function isSettled(promise: Promise<unknown>, { onFulfilled }: Unasked): boolean {
  const state = stateOf(promise);
  if (state === 'fulfilled') onFulfilled();
  return state !== 'pending';
}

/** Only the inspector tells the state of a promise without asking it. */
function stateOf(promise: Promise<unknown>): 'pending' | 'rejected' | 'fulfilled' {
  const text = inspect(promise, { depth: 0, customInspect: false, maxArrayLength: 0, maxStringLength: 0 });
  const [, state] = /^[^{]*\{\s*<(pending|rejected)>/.exec(text) ?? [];
  return (state as 'pending' | 'rejected' | undefined) ?? 'fulfilled';
}
