import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const packages = [
  'trace-format',
  'redact',
  'diff',
  'recorder',
  'replay',
  'exporter-kit',
  'exporter-vitest',
  'exporter-jest',
];
const cache = join(repository, 'node_modules', '.cache', 'stepfork-consumers');

/** Packages from outside that a consumer has installed, and the package of ours that knows where they are. */
const OUTSIDE: readonly (readonly [name: string, from: string])[] = [
  ['zod', 'trace-format'],
  ['safe-stable-stringify', 'exporter-kit'],
  ['vitest', 'exporter-vitest'],
  ['jest', 'exporter-jest'],
  ['@jest/expect', 'exporter-jest'],
  ['@jest/globals', 'exporter-jest'],
  ['@swc/core', 'exporter-jest'],
  ['@swc/jest', 'exporter-jest'],
  ['@types/node', 'exporter-jest'],
  ['openai', 'exporter-kit'],
];

/**
 * A node_modules folder as a consumer has it: the packages of this repository, built from their present sources, and
 * what they need. Built once for the same sources, whoever asks.
 */
export async function consumerModules(): Promise<string> {
  const ready = join(cache, fingerprint());
  if (!existsSync(ready)) {
    mkdirSync(cache, { recursive: true });
    removeOld();
    const work = mkdtempSync(join(cache, 'building-'));
    await buildAll(join(work, 'node_modules'));
    try {
      renameSync(work, ready);
    } catch (error) {
      // Another test file was faster.
      if (!existsSync(ready)) throw error;
      rmSync(work, { recursive: true });
    }
  }
  return join(ready, 'node_modules');
}

async function buildAll(modules: string): Promise<void> {
  for (const name of packages) {
    const folder = join(repository, 'packages', name);
    const outDir = join(modules, '@stepfork', name, 'dist');
    mkdirSync(outDir, { recursive: true });
    cpSync(join(folder, 'package.json'), join(outDir, '..', 'package.json'));
    await build({
      config: false,
      entry: entries(folder),
      outDir,
      format: ['esm', 'cjs'],
      target: 'node20',
      platform: 'node',
      splitting: true,
      external: [/^[@a-z]/],
      // The repository's own tsconfig.json leads imports of siblings to their sources.
      tsconfig: join(repository, 'tsconfig.base.json'),
      silent: true,
    });
  }
  for (const [name, from] of OUTSIDE) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(installed(name, from), join(modules, name), 'junction');
  }
}

function entries(folder: string): Record<string, string> {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { exports: object };
  const names = Object.keys(exports).filter((subpath) => subpath !== './package.json');
  return Object.fromEntries(
    names
      .map((subpath) => (subpath === '.' ? 'index' : subpath.slice(2)))
      .map((name) => [name, join(folder, 'src', `${name}.ts`)]),
  );
}

function installed(name: string, from: string): string {
  return realpathSync(join(repository, 'packages', from, 'node_modules', name));
}

/** Of everything the build reads. */
function fingerprint(): string {
  const hash = createHash('sha256').update(JSON.stringify(OUTSIDE));
  for (const name of packages) {
    const folder = join(repository, 'packages', name);
    const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' }).sort();
    for (const file of ['package.json', ...sources.map((source) => join('src', source))]) {
      if (!/\.(?:ts|json)$/.test(file) || file.endsWith('.test.ts')) continue;
      hash
        .update(`${name}/${file}\0`)
        .update(readFileSync(join(folder, file)))
        .update('\0');
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/** Builds of sources that are long gone. */
function removeOld(): void {
  const hour = 3_600_000;
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    if (statSync(folder).mtimeMs < Date.now() - hour) rmSync(folder, { recursive: true, force: true });
  }
}
