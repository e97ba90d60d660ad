import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { must, writeFiles } from '../consumer.js';
import { PNPM, ROOT } from '../workspace.js';
import type { Cell, Runner } from './cell.js';

/** What is installed at once, and serves all cells with these runners and this package manager. */
export interface Setting {
  readonly packages: Cell['packages'];
  readonly runners: readonly Runner[];
}

/** vitest 5 needs Node 22, and a folder has one vitest and one jest. */
export const SETTINGS: readonly Setting[] = (['npm', 'pnpm'] as const).flatMap((packages) => [
  { packages, runners: ['vitest 4', 'jest 30'] },
  { packages, runners: ['vitest 3', 'jest 29'] },
  { packages, runners: ['vitest 5'] },
]);

/** A version as the workspace pins it. */
export function pinned(name: string): string {
  const line = readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8')
    .split('\n')
    .find((text) => text.trim().replaceAll("'", '').startsWith(`${name}:`));
  if (line === undefined) throw new Error(`${name} is not in the catalog`);
  return `${name}@${line.split(': ')[1]}`;
}

const RUNNER_PACKAGES: Readonly<Record<Runner, readonly string[]>> = {
  'vitest 3': ['vitest@3'],
  'vitest 4': [pinned('vitest')],
  'vitest 5': ['vitest@5'],
  'jest 29': ['jest@29', '@jest/globals@29', 'babel-jest@29'],
  'jest 30': [pinned('jest'), pinned('@jest/globals'), 'babel-jest@30'],
};

const FOR_JEST = [
  ...['@swc/core', '@swc/jest'].map(pinned),
  ...['ts-jest@29', '@babel/core@7', '@babel/plugin-transform-modules-commonjs@7', '@babel/preset-typescript@7'],
];

/** What an exported test needs of ours. */
export const OURS = ['cli', 'recorder', 'exporter-vitest', 'exporter-jest'].map((name) => `@stepfork/${name}`);

/** A machine may have other things to do. */
const TIMEOUT = 280_000;

/** A folder in which everything is installed that a setting's projects need. */
export interface Installed {
  readonly folder: string;
  /** In which commands find their Node. */
  readonly env: Record<string, string>;
  /** A command that a package brought. */
  readonly bin: (name: string) => string;
}

/** @param ours the packages of this repository to install */
export async function install(
  folder: string,
  { packages, runners }: Setting,
  ours: readonly string[],
  env: Record<string, string>,
): Promise<Installed> {
  const ownNode = runners.includes('vitest 5');
  writeFiles(folder, { 'package.json': '{ "name": "consumer", "private": true }\n' });
  const wanted = [
    ...ours,
    ...runners.flatMap((runner) => RUNNER_PACKAGES[runner]),
    ...(runners.some((runner) => runner.startsWith('jest')) ? FOR_JEST : []),
    ...['typescript', 'jiti'].map(pinned),
    ownNode ? '@types/node@22' : pinned('@types/node'),
  ];
  const options = { cwd: folder, env, timeout: TIMEOUT };
  if (packages === 'npm') {
    await must(0, 'npm', ['install', '--save-dev', ...wanted], options);
  } else {
    await must(0, process.execPath, [PNPM, 'add', '--save-dev', '--ignore-scripts', ...wanted], options);
  }
  return {
    folder,
    env: ownNode ? await withNode22(join(folder, 'node-22'), env) : {},
    bin: (name) => join(folder, 'node_modules/.bin', name),
  };
}

/** Node 22 as npm has it, before all others on the path. */
async function withNode22(folder: string, env: Record<string, string>): Promise<Record<string, string>> {
  writeFiles(folder, { 'package.json': '{ "name": "node-22", "private": true }\n' });
  await must(0, 'npm', ['install', 'node@22'], { cwd: folder, env, timeout: TIMEOUT });
  return { PATH: `${join(folder, 'node_modules/node/bin')}${delimiter}${process.env.PATH ?? ''}` };
}
