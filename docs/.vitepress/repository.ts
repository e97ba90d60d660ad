import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

interface Manifest {
  readonly repository: { readonly url: string; readonly directory: string };
}

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Manifest;

/** The repository's address for a browser. */
export const REPOSITORY = manifest.repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

/** A link from a page to a file of the repository that is no page leads to that file on the web. */
export function leadToRepository(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('lead_to_repository', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const target = token.type === 'link_open' ? token.attrGet('href') : null;
      if (target !== null) token.attrSet('href', addressOf(target, String(env.relativePath ?? '')));
    }
  });
}

/** `../packages/cli/README.md` → its address on the web; what stays among the pages, as it is. */
function addressOf(target: string, page: string): string {
  if (!target.startsWith('.')) return target;
  const place = posix.normalize(posix.join(posix.dirname(page), target));
  if (!place.startsWith('../')) return target;
  const path = posix.join(manifest.repository.directory, place);
  const view = posix.extname(path.replace(/#.*$/, '')) === '' ? 'tree' : 'blob';
  return `${REPOSITORY}/${view}/main/${path}`;
}
