import { blocks } from './markdown.js';
import { readPage } from './site.js';
import { follow, type Walked } from './walkthrough.js';

/** Follows the page in a project that has what the page would install. */
export function followGettingStarted(folder: string): Promise<readonly Walked[]> {
  const page = blocks(readPage('getting-started.md')).filter(({ text }) => !text.startsWith('npm '));
  return follow(page, folder, {});
}
