import { StepforkError } from '@stepfork/trace-format/write';
import { reportFailure } from './failure.js';
import type { Terminal } from './terminal.js';

const ADVICE = 'Keep process.exit, and a wait for what never comes, out of what it runs.';

/**
 * Does `work`, in which some of the user's code is loaded or run. Should that end the process, it is told as a failure,
 * with what to do about it.
 */
export async function guardExit<T>(
  what: string,
  terminal: Terminal,
  { json, advice = ADVICE }: { readonly json: boolean; readonly advice?: string | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const exit = process.exit.bind(process);
  const onExit = (code: number): void => {
    const error = new StepforkError(
      'entrypoint_ended_process',
      `${what} ended the process with exit code ${code} before its result was in. ${advice}`,
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
