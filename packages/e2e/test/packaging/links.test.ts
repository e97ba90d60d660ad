import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { textInTarball } from '../../src/tarball.js';
import { publicPackages, ROOT, readJson } from '../../src/workspace.js';

interface Described {
  readonly name: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly homepage: string;
  readonly bugs: { readonly url: string };
  readonly repository: { readonly type: string; readonly url: string; readonly directory: string };
}

const described = publicPackages().map(({ folder }) => ({
  folder,
  manifest: readJson<Described>(join(ROOT, folder, 'package.json')),
}));
/** The repository's address for a browser. */
const WEB = (described[0]?.manifest.repository.url ?? '').replace(/^git\+/, '').replace(/\.git$/, '');

/** Where the READMEs lead, as they are published; code blocks left out. */
const targets = inject('packed').flatMap((packed) => {
  const prose = textInTarball(packed, 'README.md').replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ name: packed.manifest.name, target }));
});

test('every manifest says where its package is at home, in the same words', () => {
  for (const { folder, manifest } of described) {
    expect(manifest).toMatchObject({
      homepage: `${WEB}/tree/main/${folder}#readme`,
      bugs: { url: `${WEB}/issues` },
      repository: { type: 'git', url: `git+${WEB}.git`, directory: folder },
    });
    expect(manifest.keywords, manifest.name).toEqual(expect.arrayContaining(['stepfork', 'agent', 'testing']));
    expect(new Set(manifest.keywords).size).toBe(manifest.keywords.length);
  }
});

// A registry shows a README without the repository around it.
test('a README leads nowhere that only the repository has by that path', () => {
  const relative = targets.filter(({ target }) => !/^(https:\/\/|#)/.test(target));
  expect(relative.map(({ name, target }) => `${name} → ${target}`)).toEqual([]);
});

test('what a README links in the repository is there', () => {
  const linked = targets.flatMap(({ name, target }) => {
    const [, path] = target.startsWith(`${WEB}/`) ? (/\/(?:blob|tree|raw)\/main\/([^#]+)/.exec(target) ?? []) : [];
    return path === undefined ? [] : [{ name, path }];
  });
  expect(new Set(linked.map(({ name }) => name)).size).toBe(described.length);
  expect(linked.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('no README names a page of the docs without a link to it', () => {
  const bare = inject('packed').flatMap((packed) => {
    const prose = textInTarball(packed, 'README.md').replaceAll(/\[[^\]]*\]\([^)]*\)/g, '');
    return [...prose.matchAll(/docs\/[\w/-]+\.md/g)].map(([page]) => `${packed.manifest.name} ${page}`);
  });
  expect(bare).toEqual([]);
});
