import { isReplayRefusal } from '@stepfork/replay';
import { displayText, type Trace } from '@stepfork/trace-format/write';
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
  { json, trace }: { readonly json: boolean; readonly trace: Trace },
  work: () => Promise<T>,
): Promise<T> {
  const stray = (what: string) => (error: unknown) => {
    // What was refused and the agent did not await: the report tells it.
    if (isReplayRefusal(error)) return;
    terminal.message(`stepfork: ${displayText(`${entrypoint} left ${what}: ${messageOf(error)}`)}`);
  };
  process.on('unhandledRejection', stray('a rejected promise unhandled'));
  process.on('uncaughtException', stray('an error uncaught'));
  return guardExit(entrypoint, terminal, { json, advice: adviceOnExit(trace) }, work);
}

/** Where the recorded run ended the process too, that it does so again is no news. */
function adviceOnExit({ failure }: Trace): string | undefined {
  if (failure?.type !== 'ProcessExit') return undefined;
  return 'The recorded run ended so, too. To make a test of it, have the code throw an error instead of calling process.exit, and export with --expect-error <its name>.';
}
