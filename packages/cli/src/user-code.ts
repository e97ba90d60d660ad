import { displayText, isStepforkError, StepforkError } from '@stepfork/trace-format/write';
import { messageOf, reportFailure } from './failure.js';
import type { Terminal } from './terminal.js';

const REFUSALS = ['replay_divergence', 'replay_ended', 'blocked'] as const;

/**
 * Does `work`, in which the process runs the user's code too. That may throw where nobody listens: that is told and
 * does not end the work. What it prints is taken care of by the process that it runs in (agent-process.ts).
 */
export async function withUserCode<T>(
  entrypoint: string,
  terminal: Terminal,
  { json }: { readonly json: boolean },
  work: () => Promise<T>,
): Promise<T> {
  const stray = (what: string) => (error: unknown) => {
    // What was refused and the agent did not await: the report tells it.
    if (REFUSALS.some((code) => isStepforkError(error, code))) return;
    terminal.message(`stepfork: ${displayText(`${entrypoint} left ${what}: ${messageOf(error)}`)}`);
  };
  process.on('unhandledRejection', stray('a rejected promise unhandled'));
  process.on('uncaughtException', stray('an error uncaught'));
  return guardExit(entrypoint, terminal, { json }, work);
}

/** Does `work`, in which some of the user's code is loaded or run. Should that end the process, it is told as a failure. */
export async function guardExit<T>(
  what: string,
  terminal: Terminal,
  { json }: { readonly json: boolean },
  work: () => Promise<T>,
): Promise<T> {
  const exit = process.exit.bind(process);
  const onExit = (code: number): void => {
    const error = new StepforkError(
      'entrypoint_ended_process',
      `${what} ended the process with exit code ${code} before its result was in. Keep process.exit, and a wait for what never comes, out of what it runs.`,
    );
    // At once: an `exit` listener of the user's code comes after this one and could change the code.
    exit(reportFailure(error, terminal, { json, debug: false }));
  };
  process.on('exit', onExit);
  try {
    return await work();
  } finally {
    process.off('exit', onExit);
  }
}
