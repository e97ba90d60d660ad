import { extname, join } from 'node:path';
import type { ImportSuffix } from '../case.js';
import { readFolder, readText } from './read.js';

/** How many relative imports of this project's TypeScript sources end how. */
export type ImportCounts = Readonly<Record<ImportSuffix, number>>;

const SOURCE = /\.[cm]?tsx?$/;
const DECLARATION = /\.d\.[cm]?ts$/;
const RELATIVE_IMPORT = /(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*["'](\.{1,2}\/[^"'\n]+)["']/g;
/** Imports of these say nothing about modules. */
const ASSET = /\.(?:json|css|scss|sass|less|svg|png|jpe?g|gif|webp|txt|md|html|wasm|node|vue|svelte)$/;

/** A sample is enough, and an export must not read a whole monorepo. */
const MAX_FILES = 60;
const MAX_FOLDERS = 200;
const MAX_DEPTH = 3;

/** Counts over the TypeScript files in these folders and a little below them; the same folders give the same counts. */
export function countImports(folders: readonly string[]): ImportCounts {
  const counts = { js: 0, none: 0, ts: 0 };
  for (const file of sample(folders)) {
    for (const [, specifier = ''] of (readText(file) ?? '').matchAll(RELATIVE_IMPORT)) {
      if (!ASSET.test(specifier)) counts[suffixOf(specifier)] += 1;
    }
  }
  return counts;
}

function suffixOf(specifier: string): ImportSuffix {
  const extension = extname(specifier);
  if (/^\.[cm]?jsx?$/.test(extension)) return 'js';
  return /^\.[cm]?tsx?$/.test(extension) ? 'ts' : 'none';
}

function sample(folders: readonly string[]): ReadonlySet<string> {
  const files = new Set<string>();
  let level = [...new Set(folders)];
  for (let depth = 0; depth <= MAX_DEPTH && files.size < MAX_FILES; depth += 1) {
    const below: string[] = [];
    for (const folder of level) {
      const entries = readFolder(folder);
      for (const name of entries.files) {
        if (SOURCE.test(name) && !DECLARATION.test(name) && files.size < MAX_FILES) files.add(join(folder, name));
      }
      below.push(...entries.folders.filter(isSourceFolder).map((name) => join(folder, name)));
    }
    level = below.slice(0, MAX_FOLDERS);
  }
  return files;
}

function isSourceFolder(name: string): boolean {
  return !name.startsWith('.') && !['node_modules', 'dist', 'build', 'out', 'coverage'].includes(name);
}
