import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { must, writeFiles } from '../src/consumer.js';
import { notifyProject } from '../src/notify-project.js';
import { remove, temporaryFolder } from '../src/temporary-folder.js';
import { FULL, PNPM, ROOT, readJson } from '../src/workspace.js';

const MISMATCH = "behavior mismatch at 'should_notify': expected true, got false";

/** Versions as the workspace pins them. */
const pinned = (name: string): string => {
  const line = readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8')
    .split('\n')
    .find((text) => text.trim().startsWith(`'${name}':`) || text.trim().startsWith(`${name}:`));
  if (line === undefined) throw new Error(`${name} is not in the catalog`);
  return `${name}@${line.split(': ')[1]}`;
};

interface Setting {
  readonly packages: 'npm' | 'pnpm';
  readonly vitest: string;
  readonly jest: readonly string[];
}

const CURRENT: Setting = { packages: 'npm', vitest: pinned('vitest'), jest: [pinned('jest'), pinned('@jest/globals')] };
const SETTINGS: readonly Setting[] = FULL
  ? [
      CURRENT,
      { packages: 'pnpm', vitest: 'vitest@3', jest: ['jest@29', '@jest/globals@29'] },
      { packages: 'pnpm', vitest: CURRENT.vitest, jest: CURRENT.jest },
      { packages: 'npm', vitest: 'vitest@3', jest: ['jest@29', '@jest/globals@29'] },
    ]
  : [CURRENT];

interface Consumer {
  readonly name: string;
  readonly framework: 'vitest' | 'jest';
  readonly language: 'ts' | 'js';
  readonly modules: 'esm' | 'cjs';
  readonly suffix: 'ts' | 'mjs' | 'cjs';
  readonly files: Readonly<Record<string, string>>;
}

const IN_TYPESCRIPT: readonly Consumer[] = [
  {
    ...{ name: 'a vitest project in TypeScript', framework: 'vitest', language: 'ts', modules: 'esm', suffix: 'ts' },
    files: {},
  },
  {
    ...{
      name: 'a CommonJS jest project in TypeScript',
      framework: 'jest',
      language: 'ts',
      modules: 'cjs',
      suffix: 'ts',
    },
    files: {
      'jest.config.js': `module.exports = {
        transform: { '\\\\.ts$': '@swc/jest' },
        moduleNameMapper: { '^(\\\\.{1,2}/.*)\\\\.js$': '$1' },
      };`,
    },
  },
];

const IN_JAVASCRIPT: readonly Consumer[] = [
  {
    ...{ name: 'a vitest project in JavaScript', framework: 'vitest', language: 'js', modules: 'esm', suffix: 'mjs' },
    files: {},
  },
  {
    ...{
      name: 'a CommonJS jest project in JavaScript',
      framework: 'jest',
      language: 'js',
      modules: 'cjs',
      suffix: 'cjs',
    },
    files: { 'jest.config.js': "module.exports = { testMatch: ['**/*.test.cjs'] };" },
  },
];

const CONSUMERS = FULL ? [...IN_TYPESCRIPT, ...IN_JAVASCRIPT] : IN_TYPESCRIPT;

// One install, with a folder in it for each project: what is under test is the packed packages, not npm.
describe.each(SETTINGS)('packed packages installed by $packages, with $vitest and $jest.0', (setting) => {
  const folder = temporaryFolder('consumer');
  const env = inject('npmEnvironment');
  const packed = inject('packed').map(({ manifest }) => manifest.name);
  const bin = (name: string): string => join(folder, 'node_modules/.bin', name);

  beforeAll(async () => {
    writeFiles(folder, { 'package.json': '{ "name": "consumer", "private": true }\n' });
    const others = [
      setting.vitest,
      ...setting.jest,
      ...['typescript', 'jiti', '@types/node', '@swc/core', '@swc/jest'].map(pinned),
    ];
    if (setting.packages === 'npm') {
      await must(0, 'npm', ['install', '--save-dev', ...packed, ...others], { cwd: folder, env });
    } else {
      await must(0, process.execPath, [PNPM, 'add', '--save-dev', '--ignore-scripts', ...packed, ...others], {
        cwd: folder,
        env,
      });
    }
  });
  afterAll(() => remove(folder));

  test('every entry of every package loads by import and by require, with the same exports', async () => {
    const entries = inject('packed').flatMap(({ manifest }) =>
      Object.keys(manifest.exports ?? {})
        // A setup registers matchers with its framework, so it loads inside that framework alone.
        .filter((entry) => entry !== './package.json' && entry !== './setup')
        .map((entry) => manifest.name + entry.slice(1)),
    );
    expect(entries).toContain('@stepfork/recorder');
    writeFiles(folder, {
      'load/check.mjs': `
        import { createRequire } from 'node:module';
        const require = createRequire(import.meta.url);
        for (const entry of ${JSON.stringify(entries)}) {
          const names = (module) => Object.keys(module).filter((name) => !['default', 'module.exports', '__esModule'].includes(name)).sort().join();
          const [esm, cjs] = [names(await import(entry)), names(require(entry))];
          if (esm !== cjs || esm === '') throw new Error(entry + ': import has ' + esm + ', require has ' + cjs);
        }
        console.log('loaded', ${entries.length});
      `,
    });
    const loaded = await must(0, process.execPath, ['check.mjs'], { cwd: join(folder, 'load') });
    expect(loaded.stdout).toContain(`loaded ${entries.length}`);
  });

  test.each(CONSUMERS)('$name goes from red to green, and red again on another call', async (consumer) => {
    const { framework, language, modules, suffix } = consumer;
    const cwd = join(folder, consumer.name);
    const project = notifyProject(language, modules);
    const agent = `agent.${suffix}`;
    const file = `notify.test.${suffix}`;
    const testing = (exit: number) => must(exit, bin(framework), framework === 'vitest' ? ['run'] : [], { cwd });
    writeFiles(cwd, {
      'package.json': JSON.stringify({ type: modules === 'esm' ? 'module' : 'commonjs' }),
      'expected.json': project.expected,
      [agent]: project.buggy,
      [`record.${suffix}`]: project.record,
      ...consumer.files,
    });
    await must(0, bin('jiti'), [`record.${suffix}`], { cwd });
    const exporting = ['export', 'failure.sftrace', '--to', framework, '--entrypoint', `${agent}:notifyAgent`];
    await must(0, bin('stepfork'), [...exporting, '--expect-output', 'expected.json', '--output', file], { cwd });
    const exported = readFileSync(join(cwd, file), 'utf8');

    expect((await testing(1)).output).toContain(MISMATCH);
    writeFiles(cwd, { [agent]: project.fixed });
    await testing(0);
    if (language === 'ts') await typechecks(cwd, [file]);
    writeFiles(cwd, { [agent]: project.extended });
    const { output } = await testing(1);
    expect(output).toContain("call #1: tool 'order_status'");
    expect(output).toMatch(new RegExp(`called at .*${agent.replace('.', '\\.')}:\\d+`));
    expect(readFileSync(join(cwd, file), 'utf8')).toBe(exported);
  });

  test('the recorder brings at most two packages from outside', async () => {
    const script = `
      const { existsSync, readFileSync, realpathSync } = require('node:fs');
      const { dirname, join } = require('node:path');
      const homeOf = (name, from) => {
        const home = join(from, 'node_modules', name);
        return existsSync(home) ? realpathSync(home) : homeOf(name, dirname(from));
      };
      const seen = new Set();
      const visit = (name, from) => {
        const home = homeOf(name, from);
        const { dependencies = {} } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
        for (const next of Object.keys(dependencies)) {
          if (!seen.has(next)) visit(next, home);
          seen.add(next);
        }
      };
      visit('@stepfork/recorder', __dirname);
      console.log([...seen].sort().join(' '));
    `;
    writeFiles(folder, { 'load/closure.cjs': script });
    const closure = await must(0, process.execPath, ['closure.cjs'], { cwd: join(folder, 'load') });
    const outside = closure.stdout
      .trim()
      .split(' ')
      .filter((name) => !name.startsWith('@stepfork/'));
    expect(['safe-stable-stringify', 'zod']).toEqual(expect.arrayContaining(outside));
  });

  /** `tsc` accepts the files as written, under the strictest settings that a project is likely to have. */
  async function typechecks(cwd: string, files: readonly string[]): Promise<void> {
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: ['node'] },
      ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noUnusedLocals: true },
    };
    writeFiles(cwd, { 'tsconfig.json': JSON.stringify({ compilerOptions, files }) });
    await must(0, bin('tsc'), ['-p', 'tsconfig.json'], { cwd });
  }
});

test('a packed package holds its build, its README and its licence terms, and nothing of the workspace', () => {
  for (const { manifest, contents } of inject('packed')) {
    expect(
      contents.filter(
        (path) => !/^(package\.json|README\.md|LICENSE|NOTICE|bin\/.*|dist\/.*|schemas\/.*\.json)$/.test(path),
      ),
    ).toEqual([]);
    expect(contents).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json']));
    expect(JSON.stringify(manifest)).not.toMatch(/workspace:|catalog:/);
    expect(missingTargets(manifest.exports ?? {}, contents)).toEqual([]);
  }
  expect(readJson<{ version: string }>(join(ROOT, 'packages/cli/package.json')).version).toBe(
    inject('packed').find(({ manifest }) => manifest.name === '@stepfork/cli')?.manifest.version,
  );
});

/** Files that an `exports` map names and the package does not hold. */
function missingTargets(exports: unknown, contents: readonly string[]): readonly string[] {
  if (typeof exports === 'string') return contents.includes(exports.slice(2)) ? [] : [exports];
  return Object.values(exports as Record<string, unknown>).flatMap((value) => missingTargets(value, contents));
}
