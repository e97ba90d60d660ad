import { readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { elementsOf, type HtmlElement } from '../../src/html.js';
import { run } from '../../src/run.js';
import { buildSite, docsPages, siteIn } from '../../src/site.js';
import { filesBelow } from '../../src/source-facts.js';
import { remove, temporaryFolder } from '../../src/temporary-folder.js';
import { publicPackages, ROOT, readJson } from '../../src/workspace.js';

const folder = temporaryFolder('site');
/** Built files, from the site's root and `/` separated. */
let files: ReadonlySet<string>;
let pages: ReadonlyMap<string, readonly HtmlElement[]>;

beforeAll(async () => {
  const { exit, output } = await buildSite(folder);
  if (exit !== 0) throw new Error(output);
  const site = siteIn(folder);
  files = new Set(filesBelow(site).map((file) => relative(site, file).split(sep).join('/')));
  const read = (page: string): string => readFileSync(join(site, page), 'utf8');
  pages = new Map([...files].filter((file) => file.endsWith('.html')).map((page) => [page, elementsOf(read(page))]));
});
afterAll(() => remove(folder));

/** What the elements of a name say in an attribute, each with its page. */
function said(name: string, attribute: string): readonly { readonly page: string; readonly target: string }[] {
  return [...pages].flatMap(([page, elements]) =>
    elements
      .filter((element) => element.name === name)
      .flatMap(({ attributes }) => attributes.get(attribute) ?? [])
      .map((target) => ({ page, target })),
  );
}

const isForeign = (target: string): boolean => /^([a-z][a-z+.-]*:)?\/\//i.test(target);

test('every page of docs/ is built', () => {
  const built = docsPages().map((page) => page.replace(/\.md$/, '.html'));
  expect(built.length).toBeGreaterThan(20);
  expect(built.filter((page) => !files.has(page))).toEqual([]);
});

test('every page is in the sidebar, and everything in the sidebar is a page', () => {
  const elements = pages.get('concepts.html') ?? [];
  const links = elements
    .filter(({ name, attributes }) => name === 'a' && /\bVPLink\b.*\blink\b/.test(attributes.get('class') ?? ''))
    .map(({ attributes }) => attributes.get('href') ?? '');
  const linked = (page: string): boolean =>
    links.includes(`/${page.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html')}`);
  expect(docsPages().filter((page) => !linked(page))).toEqual([]);
});

test('every link and every anchor in the built pages leads somewhere', () => {
  const ids = new Map(
    [...pages].map(([page, elements]) => [
      page,
      new Set(elements.flatMap(({ attributes }) => attributes.get('id') ?? [])),
    ]),
  );
  const leadsSomewhere = (page: string, target: string): boolean => {
    const [path = '', anchor = ''] = target.split('#');
    const place = path === '' ? page : posix.join('/', posix.dirname(page), path).slice(1);
    const absolute = path.startsWith('/') ? path.slice(1) : place;
    const file = absolute === '' || absolute.endsWith('/') ? `${absolute}index.html` : absolute;
    if (!files.has(file)) return false;
    return anchor === '' || ids.get(file)?.has(decodeURIComponent(anchor)) === true;
  };
  const links = said('a', 'href').filter(({ target }) => !isForeign(target) && !target.startsWith('mailto:'));
  expect(links.length).toBeGreaterThan(500);
  const broken = links.filter(({ page, target }) => !leadsSomewhere(page, target));
  expect(broken.map(({ page, target }) => `${page} → ${target}`)).toEqual([]);
});

test('what is in the repository and no page is linked where the repository is on the web', () => {
  const { repository } = readJson<{ repository: { url: string } }>(join(ROOT, 'packages/recorder/package.json'));
  const web = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  const targets = said('a', 'href').map(({ target }) => target);
  expect(targets).toContain(`${web}/blob/main/README.md#with-jest`);
  expect(targets).toContain(`${web}/tree/main/examples/exporter-node-test`);
});

test('the page of the API leads to every report', () => {
  const reports = publicPackages().flatMap(({ folder: of }) =>
    filesBelow(join(ROOT, of))
      .filter((file) => file.endsWith('.api.md') && !file.includes('node_modules'))
      .map((file) => relative(ROOT, file).split(sep).join('/')),
  );
  const linked = said('a', 'href').filter(({ page }) => page === 'api.html');
  const unlinked = reports.filter((report) => !linked.some(({ target }) => target.endsWith(`/${report}`)));
  expect(unlinked).toEqual([]);
});

test('no page takes a script, a style, a font or a picture from another host', () => {
  const fetched = [
    ...said('script', 'src'),
    ...said('link', 'href'),
    ...said('img', 'src'),
    ...said('source', 'src'),
    ...said('iframe', 'src'),
  ];
  expect(fetched.length).toBeGreaterThan(50);
  expect(fetched.filter(({ target }) => isForeign(target))).toEqual([]);
  const styles = [...files].filter((file) => file.endsWith('.css'));
  expect(styles.length).toBeGreaterThan(0);
  const foreign = /url\(\s*['"]?(https?:)?\/\//;
  expect(styles.filter((file) => foreign.test(readFileSync(join(siteIn(folder), file), 'utf8')))).toEqual([]);
});

test('every picture is there', () => {
  const missing = said('img', 'src').filter(({ target }) => !target.startsWith('data:') && !files.has(target.slice(1)));
  expect(missing).toEqual([]);
});

test('the search index is a file of the site, and knows the words of its pages', () => {
  const [index = '', ...more] = [...files].filter((file) => /\/@localSearchIndexroot\.[\w-]+\.js$/.test(file));
  expect(more).toEqual([]);
  const text = readFileSync(join(siteIn(folder), index), 'utf8');
  const known = ['ambiguous', 'redaction', 'output_exists', 'exists'].filter((term) => text.includes(`["${term}",`));
  expect(known).toEqual(['ambiguous', 'redaction', 'output_exists', 'exists']);
});

test('the configuration of the site holds its types', async () => {
  const done = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json'], {
    cwd: join(ROOT, 'docs'),
  });
  expect(done.output).toBe('');
});
