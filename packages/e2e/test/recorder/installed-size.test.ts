import { lstatSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { expect, inject, test } from 'vitest';
import { must, writeFiles } from '../../src/consumer.js';
import { testFolder } from '../../src/test-folder.js';

const KIB = 1024;
/** What a production agent pays for the recorder. Raise a number only for something that is worth it to every agent. */
const MOST_OWN = 1_440 * KIB;
/** zod is nearly all of it: it is installed, for those that read bundles, and not loaded by the recorder. */
const MOST_IN_ALL = 8 * KIB * KIB;
const PACKAGES = ['@stepfork/recorder', '@stepfork/redact', '@stepfork/trace-format', 'zod'];

/** Sizes of the files below a folder, by the package that they belong to. */
function sizesByPackage(modules: string): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const entry of readdirSync(modules, { recursive: true, encoding: 'utf8' })) {
    const file = join(modules, entry);
    const [first = '', second = ''] = relative(modules, file).split(sep);
    const stats = lstatSync(file);
    if (!stats.isFile() || first.startsWith('.')) continue;
    const name = first.startsWith('@') ? `${first}/${second}` : first;
    sizes.set(name, (sizes.get(name) ?? 0) + stats.size);
  }
  return sizes;
}

test('the recorder installs as four packages of a known size', async () => {
  const cwd = testFolder('installed size');
  writeFiles(cwd, { 'package.json': '{ "name": "agent", "private": true }\n' });
  await must(0, 'npm', ['install', '--omit=dev', '@stepfork/recorder'], { cwd, env: inject('npmEnvironment') });
  const sizes = sizesByPackage(join(cwd, 'node_modules'));
  expect([...sizes.keys()].sort()).toEqual(PACKAGES);
  const sum = (names: readonly string[]): number => names.reduce((total, name) => total + (sizes.get(name) ?? 0), 0);
  const own = sum(PACKAGES.filter((name) => name.startsWith('@stepfork/')));
  expect(own).toBeGreaterThan(100 * KIB);
  expect(own).toBeLessThan(MOST_OWN);
  expect(sum(PACKAGES)).toBeLessThan(MOST_IN_ALL);
});
