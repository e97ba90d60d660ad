import { isReplayRefusal } from '@stepfork/replay';
import { displayText } from '@stepfork/trace-format/write';
import { messageOf } from './failure.js';
import { guardExit } from './guard-exit.js';
import type { Terminal } from './terminal.js';

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
    if (isReplayRefusal(error)) return;
    terminal.message(`stepfork: ${displayText(`${entrypoint} left ${what}: ${messageOf(error)}`)}`);
  };
  process.on('unhandledRejection', stray('a rejected promise unhandled'));
  process.on('uncaughtException', stray('an error uncaught'));
  return guardExit(entrypoint, terminal, { json }, work);
}
