import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { must, writeFiles } from '../src/consumer.js';
import { CELLS, CHOSEN } from '../src/consumers/cell.js';
import { SETTINGS } from '../src/consumers/install.js';
import { describeConsumers } from '../src/consumers/suite.js';
import { ROOT, readJson } from '../src/workspace.js';

const [current] = SETTINGS;
if (current !== undefined)
  describeConsumers(current, (installed) => {
    const folder = () => installed().folder;

    test('every entry of every package loads by import and by require, with the same exports', async () => {
      const entries = inject('packed').flatMap(({ manifest }) =>
        Object.keys(manifest.exports ?? {})
          // A setup registers matchers with its framework, so it loads inside that framework alone.
          .filter((entry) => entry !== './package.json' && entry !== './setup')
          .map((entry) => manifest.name + entry.slice(1)),
      );
      expect(entries).toContain('@stepfork/recorder');
      writeFiles(folder(), {
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
      const loaded = await must(0, process.execPath, ['check.mjs'], { cwd: join(folder(), 'load') });
      expect(loaded.stdout).toContain(`loaded ${entries.length}`);
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
      writeFiles(folder(), { 'load/closure.cjs': script });
      const closure = await must(0, process.execPath, ['closure.cjs'], { cwd: join(folder(), 'load') });
      const outside = closure.stdout
        .trim()
        .split(' ')
        .filter((name) => !name.startsWith('@stepfork/'));
      expect(['safe-stable-stringify', 'zod']).toEqual(expect.arrayContaining(outside));
    });
  });

test('the chosen projects have every value, and every pair of language, modules and package manager', () => {
  const values = (cells: typeof CELLS) => ({
    runners: new Set(cells.map(({ runner }) => runner)),
    transforms: new Set(cells.map(({ transform }) => transform)),
    pairs: new Set(
      cells.flatMap(({ language, modules, packages }) => [
        ...[`${language} ${modules}`, `${language} ${packages}`, `${modules} ${packages}`],
      ]),
    ),
  });
  expect(values(CHOSEN)).toEqual(values(CELLS));
  expect(CHOSEN).toHaveLength(8);
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
