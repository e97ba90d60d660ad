import { styleText } from 'node:util';
import { EXIT, type ExitCode } from './exit-code.js';

/** What a command may do to the terminal. Results go to stdout, messages to stderr. */
export interface Terminal {
  /** Writes to stdout, a line feed added. */
  readonly result: (text: string) => void;
  /** Writes to stderr, a line feed added. */
  readonly message: (text: string) => void;
  /** Colours a piece of a result where stdout is a terminal that wants colour. */
  readonly paint: (style: Style, text: string) => string;
  /** Columns of the terminal on stdout; null in a pipe or a file, where nothing is cut to fit. */
  readonly columns: number | null;
  /** All that stdin has. */
  readonly input: () => Promise<string>;
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

export interface ProcessTerminal extends Terminal {
  /** Resolves when everything has left: to null, or to the exit code for results that could not be written. */
  readonly flush: () => Promise<ExitCode | null>;
}

/**
 * Binds the streams' own `write` now: an agent under replay has its stdout sent to stderr later
 * (user-code.ts), which must not move our results.
 */
export function createProcessTerminal(): ProcessTerminal {
  const { stdout, stderr } = process;
  const toStdout = stdout.write.bind(stdout);
  const toStderr = stderr.write.bind(stderr);
  let lost: NodeJS.ErrnoException | null = null;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // EPIPE: the reader has seen enough (`| head`), which is no failure of ours.
    if (error.code !== 'EPIPE') lost ??= error;
  });
  stderr.on('error', () => {});
  const coloured = wantsColour(process.env, stdout.isTTY === true);
  const drained = (write: typeof toStdout): Promise<void> => new Promise((done) => write('', () => done()));
  return {
    result: (text) => void toStdout(`${text}\n`),
    message: (text) => void toStderr(`${text}\n`),
    paint: (style, text) => (coloured ? styleText(style, text) : text),
    columns: stdout.isTTY === true ? stdout.columns || null : null,
    input: async () => {
      const { stdin } = process;
      if (stdin.isTTY === true) toStderr('stepfork: reads from here; end it with Enter and Ctrl-D\n');
      let text = '';
      for await (const piece of stdin.setEncoding('utf8')) text += String(piece);
      return text;
    },
    flush: async () => {
      await drained(toStdout);
      if (lost !== null)
        toStderr(`stepfork: the result could not be written: ${lost.message}. Make room and run it again.\n`);
      await drained(toStderr);
      return lost === null ? null : EXIT.unusable;
    },
  };
}

/** NO_COLOR (no-color.org) wins over FORCE_COLOR, which wins over what stdout is. */
export function wantsColour(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal && env.TERM !== 'dumb';
}
