import type { ExitCode } from './exit-code.js';

/** How the process ends, which the user's code has no say in once the result is there. */
export interface Ending {
  /** From now on the process ends with this code, also where code that still runs calls process.exit. */
  readonly settle: (code: ExitCode) => void;
  /** Ends the process at once. */
  readonly exit: (code: ExitCode) => never;
}

/** Binds what it needs, so it is to be made before any of the user's code runs and changes `process`. */
export function createEnding(): Ending {
  const exit = process.exit.bind(process);
  const on = process.on.bind(process);
  const off = process.removeListener.bind(process);
  const listeners = process.rawListeners.bind(process);
  const ours = new Set(listeners('exit'));
  const settle = (code: ExitCode): void => {
    for (const listener of listeners('exit')) if (!ours.has(listener)) off('exit', listener as () => void);
    on('exit', () => {
      process.exitCode = code;
    });
  };
  return {
    settle,
    exit: (code) => {
      settle(code);
      return exit(code);
    },
  };
}
