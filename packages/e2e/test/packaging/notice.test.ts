import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { filesBelow } from '../../src/source-facts.js';
import { textInTarball } from '../../src/tarball.js';
import { publicPackages, ROOT, readJson } from '../../src/workspace.js';

interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

/** The packages of others that a build holds code of: a bundle says before each file where it is from. */
function bundledIn(folder: string): readonly Bundled[] {
  const homes = filesBelow(join(ROOT, folder, 'dist'))
    .filter((file) => /\.c?js$/.test(file))
    .flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(
        /^\/\/ (.*?node_modules\/\.pnpm\/[^/]+\/node_modules\/(?:@[^/]+\/)?[^/]+)\//gm,
      ),
    ])
    .map(([, home = '']) => home);
  return [...new Set(homes)].map((home) => describeHome(join(ROOT, folder, home))).sort(byName);
}

function describeHome(home: string): Bundled {
  const { name, version, license } = readJson<Bundled>(join(home, 'package.json'));
  const file = readdirSync(home).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} brings no licence text; look for it at its repository`);
  return { name, version, license, text: readFileSync(join(home, file), 'utf8').replaceAll('\r\n', '\n').trim() };
}

const byName = (a: Bundled, b: Bundled): number => (a.name < b.name ? -1 : 1);

// Written anew by `npx vitest run test/packaging --update`.
test('the command carries the licences of what is bundled into it', async () => {
  const bundled = bundledIn('packages/cli');
  expect(bundled.map(({ name }) => name)).toEqual(expect.arrayContaining(['yargs', 'zod']));
  const sections = bundled.map(
    ({ name, version, license, text }) => `${'-'.repeat(78)}\n${name} ${version} (${license})\n\n${text}\n`,
  );
  const own = readFileSync(join(ROOT, 'NOTICE'), 'utf8').trim();
  const notice = `${own}\n\nThe command is one bundle, which holds code of the packages below.\n\n${sections.join('\n')}`;
  await expect(notice).toMatchFileSnapshot(join(ROOT, 'packages/cli/NOTICE'));
  const cli = inject('packed').find(({ manifest }) => manifest.name === '@stepfork/cli');
  if (cli === undefined) throw new Error('the command was not packed');
  expect(textInTarball(cli, 'NOTICE')).toBe(notice);
});

test('no other package holds code of others', () => {
  const others = publicPackages().filter(({ manifest }) => manifest.name !== '@stepfork/cli');
  expect(others.flatMap(({ folder }) => bundledIn(folder).map(({ name }) => `${dirname(folder)}: ${name}`))).toEqual(
    [],
  );
});

test('every licence in a bundle lets it be given on', () => {
  const known = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0']);
  expect(bundledIn('packages/cli').filter(({ license }) => !known.has(license))).toEqual([]);
});
