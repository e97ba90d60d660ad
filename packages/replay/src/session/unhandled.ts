import process from 'node:process';
import { isStepforkError } from '@stepfork/trace-format';
import { setImmediate } from '../delivery/clock.js';

const REFUSALS = ['replay_divergence', 'replay_ended', 'blocked'] as const;

/** Whether an error is one by which a replay refuses something; its report tells it. */
export function isReplayRefusal(error: unknown): boolean {
  return REFUSALS.some((code) => isStepforkError(error, code));
}

let replays = 0;

/**
 * While a replay runs, a refused call whose rejection the agent leaves unhandled (a call that it does not await)
 * does not end the process: the report says what was refused. Everything else goes its usual way.
 *
 * @returns ends the guard
 */
export function guardRejections(): () => void {
  if (replays++ === 0) process.on('unhandledRejection', onUnhandled);
  return () => {
    if (--replays === 0) process.off('unhandledRejection', onUnhandled);
  };
}

/** Whether the process was told not to end by an unhandled rejection. */
function isLenient(): boolean {
  return process.execArgv.some((flag) => /^--unhandled-rejections=(?:none|warn|warn-with-error-code)$/.test(flag));
}

function onUnhandled(reason: unknown): void {
  if (isReplayRefusal(reason)) return;
  if (isLenient()) return;
  // What Node does where nobody listens, which but for this listener would be the case.
  if (process.listenerCount('unhandledRejection') > 1) return;
  setImmediate(() => {
    throw reason;
  });
}
