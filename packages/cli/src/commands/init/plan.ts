import { lstatSync } from 'node:fs';
import { configFilesIn, PACKAGE_FILE } from '../../config/config-files.js';
import { loadDataConfig } from '../../config/load-config.js';
import { configFile, exampleFile, exampleName, type NewFile } from './files.js';
import type { Manager, Project, Runner } from './project.js';

/** What is to be done, and what is there already. */
export interface InitPlan {
  /** Commands of the package manager, word by word. */
  readonly installs: readonly (readonly string[])[];
  readonly files: readonly NewFile[];
  /** Which of them, or of those that are there, is the example. */
  readonly example: string;
  /** Lines about what is left as it is. */
  readonly kept: readonly string[];
}

const ADD: Readonly<Record<Manager, { readonly words: readonly string[]; readonly dev: string }>> = {
  npm: { words: ['npm', 'install'], dev: '--save-dev' },
  pnpm: { words: ['pnpm', 'add'], dev: '--save-dev' },
  yarn: { words: ['yarn', 'add'], dev: '--dev' },
  bun: { words: ['bun', 'add'], dev: '--dev' },
};

export function planInit(project: Project, runner: Runner): InitPlan {
  const missing = (names: readonly string[]): readonly string[] => names.filter((name) => !project.dependsOn(name));
  // A production agent needs the recorder; all else is for whoever develops it.
  const production = missing(['@stepfork/recorder']);
  const development = missing([
    '@stepfork/cli',
    `@stepfork/exporter-${runner}`,
    ...(project.runner === null ? [runner] : []),
  ]);
  const { words, dev } = ADD[project.manager];
  const root = project.manager === 'pnpm' && project.isWorkspaceRoot ? ['--workspace-root'] : [];
  const config = existingConfig();
  const kind = runner === 'jest' && !project.isModule ? 'cjs' : 'esm';
  const wanted = [...(config === null ? [configFile(runner, project.typescript, kind)] : []), exampleFile(kind)];
  const taken = wanted.filter(({ path }) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  return {
    installs: [
      ...(production.length === 0 ? [] : [[...words, ...root, ...production]]),
      ...(development.length === 0 ? [] : [[...words, dev, ...root, ...development]]),
    ],
    files: wanted.filter((file) => !taken.includes(file)),
    example: exampleName(kind),
    kept: [...(config === null ? [] : [config]), ...taken.map(({ path }) => path)],
  };
}

/** The file of the configuration that the project has, in whatever form. */
function existingConfig(): string | null {
  const { modules, data } = configFilesIn('.');
  const [file] = [...modules, ...data.filter((name) => name !== PACKAGE_FILE)];
  if (file !== undefined) return file;
  const { settings, fileOf } = loadDataConfig();
  const [key] = Object.keys(settings) as (keyof typeof settings)[];
  return key === undefined ? null : fileOf(key);
}
