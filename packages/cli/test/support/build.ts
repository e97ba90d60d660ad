import { execFileSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../..', import.meta.url));
const TSUP = fileURLToPath(new URL('./cli-default.js', import.meta.resolve('tsup')));

/** Beside nobody's `dist`, so that a build that goes on at the same time takes nothing away. */
const CACHE = join(CLI, 'node_modules', '.cache', 'stepfork-test');
const INSTALLED = join(CACHE, 'cli');

/** The program, laid out as it is installed. */
export const BIN = join(INSTALLED, 'bin', 'stepfork.js');
/** The same without the process around it: `main`, which runs one command line. */
export const MAIN = join(INSTALLED, 'dist', 'main.js');
/** What tells for how long a bundle is read. */
export const WHILE_READING = join(INSTALLED, 'dist', 'while-reading.js');
/** A process that runs many command lines (in-agent-host.ts). */
export const AGENT_HOST = join(INSTALLED, 'dist', 'agent-host.js');
const AGENT_HOST_SOURCE = 'test/support/agent-host.ts';
/** Packages that an agent's project has installed, one file each. */
export const PROJECT_PACKAGES = {
  recorder: packageFile('recorder'),
  register: packageFile('register'),
  'exporter-vitest': packageFile('exporter-vitest'),
};

function packageFile(name: string): string {
  return join(CACHE, 'packages', `${name}.js`);
}

/** Builds what is not of these sources. Test files run at the same time: one of them builds, the others wait. */
export async function ensureBuilt(): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const release = await lock(join(CACHE, 'lock'));
  try {
    const stamp = join(CACHE, 'built');
    // How it is built counts as a source.
    const ours = ['build.ts', 'agent-host.ts', 'memory-terminal.ts'].map((name) => join(CLI, 'test', 'support', name));
    const newest = String(Math.max(newestSource(PACKAGES), ...ours.map((file) => statSync(file).mtimeMs)));
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === newest) return;
    const sources = [
      ...['stepfork', 'agent', 'main', 'config', 'while-reading'].map((name) => `src/${name}.ts`),
      AGENT_HOST_SOURCE,
    ];
    const entries = sources.flatMap((source) => [`--entry.${basename(source, '.ts')}`, source]);
    tsup(CLI, ...entries, '--out-dir', join(INSTALLED, 'dist'));
    for (const name of ['bin', 'package.json']) cpSync(join(CLI, name), join(INSTALLED, name), { recursive: true });
    buildProjectPackages();
    writeFileSync(stamp, newest);
  } finally {
    release();
  }
}

function buildProjectPackages(): void {
  const config = join(CACHE, 'tsup.packages.config.mjs');
  const entry = Object.fromEntries(
    Object.keys(PROJECT_PACKAGES).map((name) => [name, join(PACKAGES, name, 'src', 'index.ts')]),
  );
  const settings = {
    entry,
    outDir: join(CACHE, 'packages'),
    format: ['esm'],
    splitting: false,
    tsconfig: join(PACKAGES, '..', 'tsconfig.json'),
    banner: { js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);" },
  };
  const script = `export default { ...${JSON.stringify(settings)}, noExternal: [/./], outExtension: () => ({ js: '.js' }) };\n`;
  writeFileSync(config, script);
  tsup(CACHE, '--config', config);
}

function tsup(cwd: string, ...argv: string[]): void {
  execFileSync(process.execPath, [TSUP, '--silent', ...argv], { cwd, stdio: 'pipe' });
}

function newestSource(folder: string): number {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (['node_modules', 'dist', 'test'].includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) newest = Math.max(newest, newestSource(path));
    else if (/(?<!\.test)\.[jt]s$|package\.json$/.test(entry.name)) newest = Math.max(newest, statSync(path).mtimeMs);
  }
  return newest;
}

/** A lock file that a killed run left behind is taken over after two minutes. */
async function lock(file: string): Promise<() => void> {
  for (;;) {
    try {
      closeSync(openSync(file, 'wx'));
      return () => rmSync(file, { force: true });
    } catch {
      const taken = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - taken > 120_000) rmSync(file, { force: true });
      await sleep(100);
    }
  }
}
