import { writeSync } from 'node:fs';
import { isatty, WriteStream } from 'node:tty';

/** Where results go: stdout, under whatever number. */
export interface Results {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** Of a terminal; null for a pipe or a file. */
  readonly columns: number | null;
  /** Resolves when everything has left. */
  readonly flush: () => Promise<void>;
  /** Why results could not be written; a reader that has seen enough (`| head`) is no reason. */
  readonly failure: () => NodeJS.ErrnoException | null;
}

/** The process's own stdout. */
export function stdoutResults(): Results {
  const { stdout } = process;
  let lost: NodeJS.ErrnoException | null = null;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lost ??= error;
  });
  return {
    write: (text) => void stdout.write(text),
    isTerminal: stdout.isTTY === true,
    columns: stdout.isTTY === true ? stdout.columns || null : null,
    flush: () => new Promise((done) => stdout.write('', () => done())),
    failure: () => lost,
  };
}

/** A descriptor that is no stream of this process's. Written to at once, since the user's code may end the process. */
export function descriptorResults(descriptor: number): Results {
  const isTerminal = isatty(descriptor);
  let ended: NodeJS.ErrnoException | null = null;
  return {
    write: (text) => {
      if (ended === null) ended = writeAll(descriptor, Buffer.from(text));
    },
    isTerminal,
    columns: isTerminal ? new WriteStream(descriptor).columns || null : null,
    flush: async () => {},
    failure: () => (ended?.code === 'EPIPE' ? null : ended),
  };
}

function writeAll(descriptor: number, bytes: Buffer): NodeJS.ErrnoException | null {
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return error as NodeJS.ErrnoException;
      // The pipe is full, and was made non-blocking by whoever shares it: its reader needs a moment.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
  return null;
}
