import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type Run, runNode } from './run.js';
import { filesBelow } from './source-facts.js';
import { ROOT } from './workspace.js';

const DOCS = join(ROOT, 'docs');
const LEFT_OUT = /[\\/](node_modules|\.vitepress[\\/](dist|\.temp))$/;

/** Every page of the documentation, as `replay.md` or `integrations/openai.md`. */
export const docsPages = (): readonly string[] =>
  filesBelow(DOCS)
    .map((file) => relative(DOCS, file).split(sep).join('/'))
    .filter((path) => path.endsWith('.md') && !/(^|\/)(node_modules|\.vitepress)\//.test(path));

export const readPage = (page: string): string => readFileSync(join(DOCS, page), 'utf8');

/** The place in `folder` at which `buildSite` puts the site. */
export const siteIn = (folder: string): string => join(folder, 'site');

/**
 * Builds the site from a copy of the pages: two builds of one folder would write over each other's. `node_modules` is a
 * folder of the copy's own too: VitePress puts a link to vue into it for as long as it builds.
 */
export function buildSite(folder: string): Promise<Run> {
  const copy = join(folder, 'docs');
  mkdirSync(copy, { recursive: true });
  cpSync(DOCS, copy, { recursive: true, filter: (path) => !LEFT_OUT.test(path) });
  cpSync(join(ROOT, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'));
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(DOCS, 'node_modules')).filter((each) => /^[@\w]/.test(each))) {
    symlinkSync(join(DOCS, 'node_modules', name), join(copy, 'node_modules', name), 'junction');
  }
  const vitepress = join(DOCS, 'node_modules/vitepress/bin/vitepress.js');
  return runNode([vitepress, 'build', '--outDir', siteIn(folder)], { cwd: copy });
}
