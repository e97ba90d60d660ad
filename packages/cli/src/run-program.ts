import { createEnding } from './ending.js';
import { main } from './main.js';
import type { Results } from './results.js';
import { createProcessTerminal } from './terminal.js';

/** Runs one command line as this process, and ends it. */
export async function runProgram(argv: readonly string[], results: Results): Promise<never> {
  const ending = createEnding();
  const terminal = createProcessTerminal(results);
  const exitCode = await main(argv, terminal);
  ending.settle(exitCode);
  // A replayed agent may have left servers and timers open: leave as soon as the last line is out.
  return ending.exit((await terminal.flush()) ?? exitCode);
}
