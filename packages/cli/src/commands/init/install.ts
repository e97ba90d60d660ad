import { spawn } from 'node:child_process';
import { StepforkError } from '@stepfork/trace-format/write';

/**
 * Runs a package manager, whose output goes to our stderr.
 *
 * @throws StepforkError `install_failed`
 */
export async function runCommand([command = '', ...args]: readonly string[]): Promise<void> {
  const line = [command, ...args].join(' ');
  // On Windows package managers are scripts for its shell. The words are ours, none is anybody's text.
  const child = spawn(command, args, { stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  const end = await new Promise<string | null>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ENOENT' ? `${command} is not installed` : `it could not be started (${error.code})`),
    );
    child.on('close', (code, signal) => resolve(code === 0 ? null : `it ended with ${signal ?? `exit code ${code}`}`));
  });
  if (end === null) return;
  throw new StepforkError(
    'install_failed',
    `'${line}' failed: ${end}. Correct that, or run it yourself, and run it again.`,
  );
}
