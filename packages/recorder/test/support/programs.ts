import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { afterAll, beforeAll } from 'vitest';

const PACKAGES = fileURLToPath(new URL('../../../', import.meta.url));

/** What a finished process leaves. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly args?: readonly string[];
  /** Options of node's own. */
  readonly node?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A shell's limits, for example `ulimit -n 20`. */
  readonly limits?: string;
  /** Told what the process has printed so far, each time that it prints. */
  readonly onOutput?: (printed: string, child: ChildProcessWithoutNullStreams) => void;
}

/**
 * Bundles the TypeScript programs of a folder, with the sources of the packages that they import, and gives a
 * function that runs one as a process of its own. What the sources import from elsewhere (zod) cannot be found there.
 */
export function programs(folder: string): (name: string, options?: RunOptions) => Promise<Finished> {
  let built = '';
  beforeAll(async () => {
    built = mkdtempSync(join(tmpdir(), 'stepfork-programs-'));
    chmodSync(built, 0o755);
    const sources = readdirSync(folder).filter((name) => name.endsWith('.ts'));
    await build({
      config: false,
      silent: true,
      entry: Object.fromEntries(sources.map((name) => [basename(name, '.ts'), join(folder, name)])),
      outDir: built,
      outExtension: () => ({ js: '.mjs' }),
      format: ['esm'],
      platform: 'node',
      target: 'node20',
      tsconfig: join(PACKAGES, '../tsconfig.json'),
      noExternal: [/^@stepfork\//],
    });
  });
  afterAll(() => {
    rmSync(built, { recursive: true, force: true });
  });
  return (name, options = {}) => run(join(built, `${name}.mjs`), options);
}

function run(file: string, { args = [], node = [], env = {}, cwd, limits, onOutput }: RunOptions): Promise<Finished> {
  const command = [process.execPath, ...node, file, ...args];
  const [program = '', ...rest] =
    limits === undefined ? command : ['/bin/bash', '-c', `${limits}; exec "$@"`, 'limited', ...command];
  const child = spawn(program, rest, { cwd, env: { ...process.env, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    onOutput?.(stdout, child);
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}
