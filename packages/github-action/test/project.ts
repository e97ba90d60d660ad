import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = fileURLToPath(new URL('../src/main.mjs', import.meta.url));
const STEPFORK = join(PACKAGES, 'cli/bin/stepfork.js');

/** Installed in every project, as links to what is built in this repository. */
const INSTALLED: Readonly<Record<string, string>> = {
  '@stepfork/cli': 'cli',
  '@stepfork/recorder': 'recorder',
  '@stepfork/exporter-vitest': 'exporter-vitest',
  '@stepfork/exporter-jest': 'exporter-jest',
  vitest: '../node_modules/vitest',
  jest: 'exporter-jest/node_modules/jest',
  '@jest': 'exporter-jest/node_modules/@jest',
  '.bin': '../node_modules/.bin',
};

/** What this test's own runner, or a real job, would say to what is started here. */
const FOREIGN =
  /^(vitest|jest_|node_env$|node_options$|node_path$|npm_|github_|input_|no_color$|force_color$|ci$|test$)/i;

export interface Ended {
  readonly exit: number | null;
  readonly output: string;
}

export interface Project {
  readonly folder: string;
  readonly write: (path: string, text: string) => void;
  readonly read: (path: string) => string;
  /** Runs a program of Node's, and fails where it ends otherwise than with 0. */
  readonly node: (...args: readonly string[]) => Promise<void>;
  readonly stepfork: (...args: readonly string[]) => Promise<void>;
  readonly remove: () => void;
}

/** A project of a user's, with these files, in a folder of its own. */
export function createProject(files: Readonly<Record<string, string>>): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stepfork action ')));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('package.json', '{ "name": "agents", "private": true, "type": "module" }\n');
  for (const [path, text] of Object.entries(files)) write(path, text);
  for (const [name, home] of Object.entries(INSTALLED)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(PACKAGES, home), link, 'junction');
  }
  const node = async (...args: readonly string[]): Promise<void> => {
    const { exit, output } = await run(folder, args, {});
    if (exit !== 0) throw new Error(`node ${args.join(' ')} ended with ${exit}:\n${output}`);
  };
  return {
    folder,
    write,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    node,
    stepfork: (...args) => node(STEPFORK, ...args),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function run(cwd: string, args: readonly string[], variables: Readonly<Record<string, string>>): Promise<Ended> {
  const own = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
  const env = { ...Object.fromEntries(own), ...variables };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve({ exit, output }));
  });
}

export interface Job extends Ended {
  readonly summary: string;
}

/** Runs the action as a step of a job does. */
export async function runAction(project: Project, inputs: Readonly<Record<string, string>> = {}): Promise<Job> {
  project.write('summary.md', '');
  const ended = await run(project.folder, [MAIN], {
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: join(project.folder, 'summary.md'),
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
  });
  return { ...ended, summary: project.read('summary.md') };
}
