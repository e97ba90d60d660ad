import { pathToFileURL } from 'node:url';
import { MAIN } from './build.js';
import { memoryTerminal } from './memory-terminal.js';
import type { Ended } from './stepfork.js';

const START = process.cwd();

/**
 * Has the built program run command lines one after the other in this process, as if they were given in `folder`: for
 * commands that run none of the user's code, to which a process of their own makes no difference.
 */
export function commandLineIn(folder: string, input?: string): (...argv: string[]) => Promise<Ended> {
  return async (...argv) => {
    const terminal = memoryTerminal({ ...(input === undefined ? {} : { input }) });
    process.chdir(folder);
    try {
      // Not sooner: messages are relative to where the program was started.
      const { main } = (await import(pathToFileURL(MAIN).href)) as typeof import('../../src/main.js');
      const exitCode = await main(argv, terminal);
      return { exitCode, stdout: terminal.stdout(), stderr: terminal.stderr() };
    } finally {
      process.chdir(START);
    }
  };
}
