import { type BoundaryHandler, HANDLER_VERSION, slot } from '@stepfork/recorder/boundary';
import { isStepforkError } from '@stepfork/trace-format';
import { parseAllow } from '../../src/guard/allow-list.js';
import { type BlockedAttempt, type Guard, type GuardRules, openGuard } from '../../src/guard/guard.js';

/** A run whose ways out are watched, with none of the rest of a replay. */
export interface WatchedRun {
  readonly handler: BoundaryHandler & { active: boolean };
  readonly blocked: readonly BlockedAttempt[];
  readonly unwatched: Guard['unwatched'];
  /** Runs something in the run's async context. */
  readonly inside: <T>(fn: () => T) => T;
  readonly end: () => void;
}

export function watchedRun(options: { allow?: readonly string[]; permits?: GuardRules['permits'] } = {}): WatchedRun {
  const handler: WatchedRun['handler'] = {
    version: HANDLER_VERSION,
    mode: 'replay',
    active: true,
    dispatch: ({ invoke }) => invoke(),
    innerRun: () => ({ runId: 'inner', settled: () => {} }),
  };
  const blocked: BlockedAttempt[] = [];
  const { unwatched, close } = openGuard(handler, {
    allow: parseAllow(options.allow ?? []),
    ...(options.permits === undefined ? {} : { permits: options.permits }),
    onBlocked: (attempt) => blocked.push(attempt),
  });
  const end = (): void => {
    handler.active = false;
    close();
  };
  return {
    handler,
    blocked,
    unwatched,
    inside: (fn) => slot().frames.run({ handler, call: null, parent: null }, fn),
    end,
  };
}

/** What an attempt failed with, thrown, rejected or given to it as a value; undefined when it did not. */
export async function failureOf(attempt: () => unknown): Promise<unknown> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Whether it is the guard's doing, perhaps wrapped (`fetch failed`). */
export function isBlocked(error: unknown): boolean {
  for (let each = error, depth = 0; depth < 5 && each !== undefined && each !== null; depth++) {
    // In a realm of its own (vitest's vmThreads, jest), fetch makes an error of its own with the message.
    if (isStepforkError(each, 'blocked') || /the replay blocked/.test(String(each))) return true;
    each = (each as { cause?: unknown; error?: unknown }).cause ?? (each as { error?: unknown }).error;
  }
  return false;
}
