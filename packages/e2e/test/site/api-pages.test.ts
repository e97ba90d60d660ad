import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { readPage } from '../../src/site.js';
import { publicPackages, ROOT } from '../../src/workspace.js';

/** The reports of all entries, each with the page of the site that describes the same names. */
const entries = publicPackages().flatMap(({ folder }) =>
  readdirSync(join(ROOT, folder, 'etc')).map((file) => {
    const entry = file.replace('.api.md', '');
    const name = basename(folder);
    return { report: `${folder}/etc/${file}`, page: `api/${entry === 'index' ? name : `${name}-${entry}`}.md` };
  }),
);

const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort();

test('every entry of a package has a page, and every page is one of an entry', () => {
  expect(entries.length).toBeGreaterThan(20);
  expect(readdirSync(join(ROOT, 'docs/api')).map((file) => `api/${file}`)).toEqual(
    entries.map(({ page }) => page).sort(),
  );
});

test.each(entries)('$page has the names of $report, and no other', ({ report, page }) => {
  const exported = namesIn(
    readFileSync(join(ROOT, report), 'utf8'),
    /^export (?:\{ |(?:declare )?(?:abstract )?(?:function|const|class|interface|type|enum) )(\w+)/gm,
  );
  expect(namesIn(readPage(page), /^(?:### |- `)(\w+)(?:$|`, of `)/gm)).toEqual(exported);
});
