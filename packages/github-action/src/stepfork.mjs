import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Ends what hangs. */
const TIMEOUT = 5 * 60_000;

/**
 * The command that the project has installed, under either of its names, to be called with its arguments.
 *
 * @param {string} folder the project's
 * @returns null where there is none
 */
export function findStepfork(folder) {
  const { resolve } = createRequire(join(folder, 'package.json'));
  for (const name of ['@stepfork/cli', 'stepfork']) {
    try {
      const bin = join(dirname(resolve(`${name}/package.json`)), 'bin', 'stepfork.js');
      return (args) => run(bin, args, folder);
    } catch {
      // Not under this name.
    }
  }
  return null;
}

/** @returns {Promise<{ exit: number | null, stdout: string, stderr: string }>} */
function run(bin, args, cwd) {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve({ exit, stdout, stderr }));
  });
}
