import { styleText } from 'node:util';
import { EXIT, type ExitCode } from './exit-code.js';
import type { Results } from './results.js';

/** What a command may do to the terminal. Results go to stdout, messages to stderr. */
export interface Terminal {
  /** Writes to stdout, a line feed added. */
  readonly result: (text: string) => void;
  /** Writes a part of a result to stdout, as it is. */
  readonly part: (text: string) => void;
  /** Resolves when all results have left: for one that comes in more parts than can wait. */
  readonly drained: () => Promise<void>;
  /** Writes to stderr, a line feed added. */
  readonly message: (text: string) => void;
  /** Colours a piece of a result where stdout is a terminal that wants colour. */
  readonly paint: (style: Style, text: string) => string;
  /** Columns of the terminal on stdout; null in a pipe or a file, where nothing is cut to fit. */
  readonly columns: number | null;
  /** All that stdin has. */
  readonly input: () => Promise<string>;
  /** A line from the person at the terminal; null where there is nobody to ask. */
  readonly ask: (question: string) => Promise<string | null>;
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface ProcessTerminal extends Terminal {
  /** Resolves when everything has left: to null, or to the exit code for results that could not be written. */
  readonly flush: () => Promise<ExitCode | null>;
}

/** A terminal whose results go to `results` and whose messages go to stderr. */
export function createProcessTerminal(results: Results): ProcessTerminal {
  const { stderr } = process;
  // Bound now: the user's code may change what `write` is.
  const toStderr = stderr.write.bind(stderr);
  stderr.on('error', () => {});
  const coloured = wantsColour(process.env, results.isTerminal);
  return {
    result: (text) => results.write(`${text}\n`),
    part: (text) => results.write(text),
    drained: results.flush,
    message: (text) => void toStderr(`${text}\n`),
    // What the stream is was asked above; Node's own look at it would take the colours of a terminal where CI is set.
    paint: (style, text) => (coloured ? styleText(style, text, { validateStream: false }) : text),
    columns: results.columns,
    input: async () => {
      const { stdin } = process;
      if (stdin.isTTY === true) toStderr('stepfork: reads from here; end it with Enter and Ctrl-D\n');
      process.once('SIGINT', leave);
      let text = '';
      for await (const piece of stdin.setEncoding('utf8')) text += String(piece);
      process.off('SIGINT', leave);
      return text;
    },
    ask: async (question) => {
      const { stdin } = process;
      if (stdin.isTTY !== true || !results.isTerminal) return null;
      const { createInterface } = await import('node:readline/promises');
      const lines = createInterface({ input: stdin, output: stderr });
      lines.once('SIGINT', leave);
      // Ctrl-D ends the input, and leaves the question open for ever.
      const closed = new Promise<null>((end) => lines.once('close', () => end(null)));
      const answer = await Promise.race([lines.question(question).catch(() => null), closed]);
      if (answer === null) toStderr('\n');
      lines.close();
      return answer;
    },
    flush: async () => {
      await results.flush();
      const lost = results.failure();
      if (lost !== null)
        toStderr(`stepfork: the result could not be written: ${lost.message}. Make room and run it again.\n`);
      await new Promise<void>((done) => toStderr('', () => done()));
      return lost === null ? null : EXIT.unusable;
    },
  };
}

const leave = (): never => process.exit(EXIT.interrupted);

/** NO_COLOR (no-color.org) wins over FORCE_COLOR, which wins over what stdout is. */
export function wantsColour(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal && env.TERM !== 'dumb';
}
