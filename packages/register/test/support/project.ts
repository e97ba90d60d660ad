import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadTrace, type Trace } from '@stepfork/trace-format';
import { build } from 'tsup';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

export interface Ended {
  readonly exitCode: number | string | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project of a user's that has packages of the repository installed, and what this package has. */
export interface Project {
  readonly folder: string;
  readonly path: (name: string) => string;
  readonly write: (name: string, text: string) => void;
  /** By this Node. */
  readonly run: (argv: readonly string[], env?: NodeJS.ProcessEnv) => Promise<Ended>;
  readonly runWith: (command: readonly [string, ...string[]], env?: NodeJS.ProcessEnv) => Promise<Ended>;
  /** Of the runs recorded in it since this was last asked, in the order of their names. */
  readonly takeTraces: () => readonly Trace[];
  readonly remove: () => void;
}

/** Below this package, where SDKs are found. */
const PLACE = join(ROOT, 'packages/register/node_modules');

export async function createProject(files: Readonly<Record<string, string>>, place = PLACE): Promise<Project> {
  const folder = mkdtempSync(join(place, '.project-'));
  const path = (name: string): string => join(folder, name);
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  write('package.json', '{ "name": "agents", "type": "module" }\n');
  for (const [name, text] of Object.entries(files)) write(name, text);
  await Promise.all(Object.keys(PACKAGES).map((name) => install(name, path(`node_modules/@stepfork/${name}`))));
  return {
    folder,
    path,
    write,
    run: (argv, env = {}) => runProgram(folder, [process.execPath, ...argv], env),
    runWith: (command, env = {}) => runProgram(folder, command, env),
    takeTraces() {
      const traces = path('.stepfork/traces');
      const found = readdirSync(traces).filter((name) => name.endsWith('.sftrace'));
      const taken = found.map((name) => loadTrace(join(traces, name)));
      rmSync(traces, { recursive: true });
      return taken;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Packages of the repository, each entry as one file. Copies share what there is one of in a process. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  register: ['index', 'http'],
  recorder: ['index', 'fetch'],
  replay: ['index'],
};

async function install(name: string, home: string): Promise<void> {
  const entries = PACKAGES[name] ?? [];
  const exports = Object.fromEntries(entries.map((entry) => [entry === 'index' ? '.' : `./${entry}`, `./${entry}.js`]));
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name: `@stepfork/${name}`, type: 'module', exports }));
  await build({
    config: false,
    silent: true,
    entry: Object.fromEntries(entries.map((entry) => [entry, join(ROOT, 'packages', name, `src/${entry}.ts`)])),
    outDir: home,
    format: ['esm'],
    platform: 'node',
    target: 'node20',
    splitting: true,
    tsconfig: join(ROOT, 'tsconfig.json'),
    noExternal: [/./],
    banner: { js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);" },
  });
}

/** What the test runner's own surroundings would change. */
const FOREIGN = /^(?:NODE_|VITEST|TEST$|STEPFORK_)/;

function runProgram(
  cwd: string,
  [program, ...argv]: readonly [string, ...string[]],
  variables: NodeJS.ProcessEnv,
): Promise<Ended> {
  const inherited = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
  const env = { ...Object.fromEntries(inherited), ...variables };
  return new Promise((resolve) => {
    const child = execFile(program, argv, { cwd, env }, (error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? error?.code ?? null, signal: child.signalCode, stdout, stderr }),
    );
  });
}
