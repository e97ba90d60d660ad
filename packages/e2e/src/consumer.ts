import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Run, type RunOptions, run } from './run.js';

/** Writes files below `folder`, making the folders they stand in. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Runs a command and fails with all that it printed when it exits otherwise than it should. */
export async function must(exit: number, command: string, args: readonly string[], options: RunOptions): Promise<Run> {
  const done = await run(command, args, options);
  if (done.exit !== exit) {
    throw new Error(`'${[command, ...args].join(' ')}' exited ${done.exit}, not ${exit}:\n${done.output}`);
  }
  return done;
}
