import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { consumerModules } from './built-packages.js';

/** One test as the framework reported it. */
export interface TestResult {
  readonly title: string;
  readonly status: string;
  /** Without colours. */
  readonly message: string;
}

/** A user's project in a folder of its own, with a space in its path. */
export interface ConsumerProject {
  readonly folder: string;
  readonly write: (files: Readonly<Record<string, string>>) => void;
  readonly read: (path: string) => string;
  /** Runs vitest; the results by test file name. */
  readonly vitest: (...args: readonly string[]) => Results;
  /** Runs jest, with or without ES modules. */
  readonly jest: (nodeArgs: readonly string[], ...args: readonly string[]) => Results;
  readonly remove: () => void;
}

export interface Results {
  readonly exit: number | null;
  readonly output: string;
  readonly tests: Readonly<Record<string, readonly TestResult[]>>;
  /** What failed outside the tests of a file, in a `beforeAll` for example. */
  readonly faults: Readonly<Record<string, string>>;
}

export async function createProject(files: Readonly<Record<string, string>>): Promise<ConsumerProject> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stepfork consumer ')));
  const modules = await consumerModules();
  symlinkSync(modules, join(folder, 'node_modules'), 'junction');
  const write: ConsumerProject['write'] = (more) => {
    for (const [path, text] of Object.entries(more)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  write(files);
  return {
    folder,
    write,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    vitest: (...args) =>
      run(folder, [
        join(modules, 'vitest', 'vitest.mjs'),
        'run',
        '--reporter=json',
        '--outputFile=results.json',
        ...args,
      ]),
    jest: (nodeArgs, ...args) =>
      run(folder, [
        ...nodeArgs,
        join(modules, 'jest', 'bin', 'jest.js'),
        '--json',
        '--outputFile=results.json',
        '--no-cache',
        ...args,
      ]),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

function run(folder: string, args: readonly string[]): Results {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST|TEST|NODE_ENV|NODE_OPTIONS|JEST|FORCE_COLOR)/.test(name),
  );
  const env = { ...Object.fromEntries(inherited), NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env });
  const { testResults } = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as Report;
  const tests = testResults.map(({ name, assertionResults }) => [
    name.slice(folder.length + 1),
    assertionResults.map(({ title, status: state, failureMessages }) => ({
      title,
      status: state,
      message: stripVTControlCharacters((failureMessages ?? []).join('\n')),
    })),
  ]);
  const faults = testResults.map(({ name, message }) => [
    name.slice(folder.length + 1),
    stripVTControlCharacters(message),
  ]);
  return {
    exit: status,
    faults: Object.fromEntries(faults),
    output: stripVTControlCharacters(`${stdout}${stderr}`),
    tests: Object.fromEntries(tests),
  };
}
