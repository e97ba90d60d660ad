import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { STEPFORK } from './workspace.js';

export interface Run {
  /** null when a signal ended it. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams in the order in which they came, without colour. */
  readonly output: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds; a command that takes longer is killed. */
  readonly timeout?: number;
}

// What the runner of these tests and the package manager that started it leave behind, what a command started by a
// person would not have, and whatever proves to a provider who asks: nothing here needs it.
const LEFT_OUT =
  /^(vitest|vite_|vite$|jest_|node_env$|node_options$|test$|dev$|prod$|mode$|ssr$|init_cwd$|node_path$|pnpm_|force_color$|npm_|aws_|azure_|google_)|_api_key$/i;
const KEPT_NPM_SETTINGS = /^npm_config_(registry|cafile|cache|proxy|https_proxy|noproxy|strict_ssl)$/i;

/** The environment as a person's shell would have it. */
export function plainEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (!LEFT_OUT.test(entry[0]) || KEPT_NPM_SETTINGS.test(entry[0])),
  );
  return { ...Object.fromEntries(entries), NO_COLOR: '1' };
}

export function run(command: string, args: readonly string[], options: RunOptions): Promise<Run> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...plainEnvironment(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: options.timeout ?? 170_000,
    killSignal: 'SIGKILL',
  });
  let [stdout, stderr, output] = ['', '', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    output += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
    output += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve({ exit, stdout, stderr, output: stripVTControlCharacters(output) }));
  });
}

export const runNode = (args: readonly string[], options: RunOptions): Promise<Run> =>
  run(process.execPath, args, options);

/** The `stepfork` command of this checkout. */
export const stepfork = (args: readonly string[], options: RunOptions): Promise<Run> =>
  runNode([STEPFORK, ...args], options);

/** A line for a POSIX shell. */
export const shell = (line: string, options: RunOptions): Promise<Run> => run('sh', ['-c', line], options);
