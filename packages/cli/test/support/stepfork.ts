import { spawn } from 'node:child_process';
import { BIN } from './build.js';
import { twoAtOnce } from './two-at-once.js';

export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the test runner's own surroundings would change, or (extra certificates) slow down. */
const FOREIGN = ['NODE_OPTIONS', 'NODE_PATH', 'NODE_EXTRA_CA_CERTS', 'NO_COLOR', 'FORCE_COLOR'];

/** Runs the built program in a process of its own, its streams being pipes, and waits for its end. */
export function stepfork(cwd: string, ...argv: string[]): Promise<Ended> {
  return stepforkWith({}, cwd, ...argv);
}

/** The same with some environment variables set. */
export function stepforkWith(variables: NodeJS.ProcessEnv, cwd: string, ...argv: string[]): Promise<Ended> {
  return twoAtOnce(
    () =>
      new Promise((resolve, reject) => {
        const env = environmentWith(variables);
        const child = spawn(process.execPath, [BIN, ...argv], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
        const text = { stdout: '', stderr: '' };
        for (const name of ['stdout', 'stderr'] as const) {
          child[name].setEncoding('utf8').on('data', (chunk: string) => {
            text[name] += chunk;
          });
        }
        child.on('error', reject);
        child.on('close', (exitCode) => resolve({ exitCode, ...text }));
      }),
  );
}

/** The environment of a program that is started by hand, with some variables set. */
export function environmentWith(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const env = { ...process.env, ...variables };
  for (const name of FOREIGN) delete env[name];
  return env;
}
