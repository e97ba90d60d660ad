import { readdirSync } from 'node:fs';

/** What nobody wrote, and is large. */
const LEFT_OUT = new Set(['node_modules', '.git']);

/**
 * What lies below a folder, `/` separated; a bundle is one thing. Links are not followed.
 *
 * @param {string} folder
 * @returns {Generator<{ path: string, isFile: boolean }>}
 */
export function* walk(folder, below = '') {
  for (const entry of readdirSync(`${folder}/${below}`, { withFileTypes: true }).sort(byName)) {
    const path = `${below}${entry.name}`;
    const isBundle = entry.isDirectory() && entry.name.endsWith('.sftrace');
    if (entry.isFile() || isBundle) yield { path, isFile: entry.isFile() };
    else if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) yield* walk(folder, `${path}/`);
  }
}

const byName = (a, b) => (a.name < b.name ? -1 : 1);
