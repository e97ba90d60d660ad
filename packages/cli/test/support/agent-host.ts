import { main } from '../../src/main.js';
import { memoryTerminal } from './memory-terminal.js';

/** A command line, and the folder that it is given in. */
export interface HostRequest {
  readonly folder: string;
  readonly argv: readonly string[];
}

export interface HostAnswer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line, the user's code included. What that prints goes to stderr, as in the program. */
async function answer({ folder, argv }: HostRequest): Promise<HostAnswer> {
  process.chdir(folder);
  const terminal = memoryTerminal();
  const { stdout, stderr } = process;
  const writes = [stdout, stderr].map((stream) => [stream, stream.write] as const);
  for (const [stream] of writes) {
    stream.write = (text: string | Uint8Array) => {
      if (text.length > 0) terminal.message(String(text).replace(/\n$/, ''));
      return true;
    };
  }
  try {
    return { exitCode: await main(argv, terminal), stdout: terminal.stdout(), stderr: terminal.stderr() };
  } finally {
    for (const [stream, write] of writes) stream.write = write;
  }
}

// Each command line leaves some that hear what its user's code throws.
process.setMaxListeners(0);
process.on('message', async (request: HostRequest) => process.send?.(await answer(request)));
process.on('disconnect', () => process.exit());
