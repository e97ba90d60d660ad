import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { textInTarball } from '../../src/tarball.js';
import { ROOT } from '../../src/workspace.js';

const packed = [...inject('packed')].sort((a, b) => (a.manifest.name < b.manifest.name ? -1 : 1));

/** A file that a build named by a hash of what is in it stands for all of them. */
const withoutHash = (path: string): string =>
  path.replace(/^dist\/.*-(?:[A-Z0-9]{8}(?=\.c?js$)|[\w-]{8}(?=\.d\.c?ts$))/, 'dist/<shared>');

// Written anew by `npx vitest run test/packaging --update`; what changed in it is what is published differently.
test('what every package would publish is listed in contents.txt', async () => {
  const lists = packed.map(({ manifest, contents }) => {
    const paths = [...new Set(contents.map(withoutHash))].sort();
    return `${manifest.name}\n${paths.map((path) => `  ${path}\n`).join('')}`;
  });
  await expect(lists.join('\n')).toMatchFileSnapshot('contents.txt');
});

test('nothing is published that is only for the makers: no test, no source, no source map', () => {
  const ofMakers = /(^|[./])(tests?|spec|fixtures|src)([./]|$)|\.map$|(?<!\.d)\.[cm]?tsx?$|^(tsup|vitest|tsconfig)\b/;
  const found = packed.flatMap(({ manifest, contents }) =>
    contents.filter((path) => ofMakers.test(path)).map((path) => `${manifest.name} ${path}`),
  );
  expect(found).toEqual([]);
});

test('every package carries the licence, and a README that is about it', () => {
  const licence = readFileSync(join(ROOT, 'LICENSE'), 'utf8');
  for (const each of packed) {
    expect(textInTarball(each, 'LICENSE'), each.manifest.name).toBe(licence);
    expect(textInTarball(each, 'README.md').split('\n', 1)).toEqual([`# ${each.manifest.name}`]);
  }
});

test('every manifest says where the package comes from, who may use it and that all may have it', () => {
  for (const { manifest } of packed) {
    expect(manifest, manifest.name).toMatchObject({
      license: 'Apache-2.0',
      engines: { node: '>=20.19' },
      publishConfig: { access: 'public' },
      // What npm compares with the workflow that built the package before it takes a statement of provenance.
      repository: {
        url: 'git+https://github.com/stepfork/stepfork-ts.git',
        directory: expect.stringMatching(/^packages\//),
      },
    });
  }
});
