import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StepforkError } from '@stepfork/trace-format/write';
import { isRecord } from '../../config/checks.js';
import { messageOf } from '../../failure.js';
import { isInBundle } from '../../project-folder.js';

export type Runner = 'vitest' | 'jest';
export type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** What `init` wants to know of the project in the current directory. */
export interface Project {
  /** null: it has none that is known. */
  readonly runner: Runner | null;
  readonly typescript: boolean;
  /** Whether its `.js` files are ES modules. */
  readonly isModule: boolean;
  readonly manager: Manager;
  /** What says so: a lockfile, or `packageManager`; null where nothing does. */
  readonly managerFrom: string | null;
  /** Whether it is the root of a pnpm workspace. */
  readonly isWorkspaceRoot: boolean;
  readonly dependsOn: (name: string) => boolean;
}

const LOCKFILES: readonly (readonly [file: string, manager: Manager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

/** @throws StepforkError `no_project` */
export function readProject(): Project {
  const manifest = readManifest();
  const names = new Set(
    ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap((section) => {
      const listed = manifest[section];
      return isRecord(listed) ? Object.keys(listed) : [];
    }),
  );
  const dependsOn = (name: string): boolean => names.has(name);
  return {
    runner: runnerOf(dependsOn),
    isModule: manifest.type === 'module',
    typescript: existsSync('tsconfig.json') || dependsOn('typescript'),
    ...managerOf(manifest.packageManager),
    isWorkspaceRoot: existsSync('pnpm-workspace.yaml'),
    dependsOn,
  };
}

function readManifest(): Readonly<Record<string, unknown>> {
  if (isInBundle('.')) {
    throw new StepforkError(
      'no_project',
      "what lies in a bundle is no project, whose packages could be installed. Run 'stepfork init' in the folder of a project.",
    );
  }
  if (!existsSync('package.json')) {
    throw new StepforkError(
      'no_project',
      "there is no package.json here. Run 'stepfork init' in the folder of a project, or make it one: npm init",
    );
  }
  try {
    const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8').replace(/^\ufeff/, ''));
    if (isRecord(manifest)) return manifest;
  } catch (error) {
    throw new StepforkError('no_project', `package.json cannot be read: ${messageOf(error)}. Correct it.`, {
      cause: error,
    });
  }
  throw new StepforkError('no_project', 'package.json is no JSON object. Correct it.');
}

/** By what is installed, or else by a configuration that lies there. */
function runnerOf(dependsOn: (name: string) => boolean): Runner | null {
  for (const runner of ['vitest', 'jest'] as const) if (dependsOn(runner)) return runner;
  const files = readdirSync('.');
  for (const runner of ['vitest', 'jest'] as const) {
    if (files.some((file) => file.startsWith(`${runner}.config.`))) return runner;
  }
  return null;
}

/** The nearest lockfile decides; the root of a repository is the last place to look. */
function managerOf(named: unknown): Pick<Project, 'manager' | 'managerFrom'> {
  for (let folder = resolve('.'); ; folder = dirname(folder)) {
    const found = LOCKFILES.find(([file]) => existsSync(join(folder, file)));
    if (found !== undefined) return { manager: found[1], managerFrom: found[0] };
    if (existsSync(join(folder, '.git')) || dirname(folder) === folder) break;
  }
  const [, manager] = /^(npm|pnpm|yarn|bun)@/.exec(String(named)) ?? [];
  return manager === undefined
    ? { manager: 'npm', managerFrom: null }
    : { manager: manager as Manager, managerFrom: 'package.json' };
}
