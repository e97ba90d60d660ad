import { dirname, extname, resolve } from 'node:path';
import { resolveAlias, sourceAt } from './alias.js';
import { readText } from './read.js';
import { readTsConfig } from './tsconfig.js';

/** An import by a path alias of tsconfig.json. */
export interface AliasedImport {
  /** Absolute: the file that imports. */
  readonly file: string;
  /** As it stands there: `@/tools`. */
  readonly specifier: string;
}

const IMPORT = /(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*["']([^"'\n]+)["']/g;
/** The compiler takes these away. */
const OF_TYPES = /\b(?:import|export)\s+type\s[^"';]*\bfrom\s*["'][^"'\n]+["']/g;
const SOURCE = /^\.[cm]?[jt]sx?$/;

/** Enough to tell, and an export must not read a whole monorepo. */
const MAX_FILES = 300;

/**
 * The first import by a path alias of tsconfig.json in a file, or in what it imports of the project. Read as text; the
 * `imports` of package.json are no aliases here, as everything that runs JavaScript follows them.
 *
 * @returns null where there is none
 */
export function findAliasedImport(entrypointFile: string): AliasedImport | null {
  const start = resolve(entrypointFile);
  const folder = dirname(start);
  if (Object.keys(readTsConfig(folder)?.aliases.paths ?? {}).length === 0) return null;
  const files = new Set([start]);
  for (const file of files) {
    for (const specifier of importsOf(file)) {
      const isRelative = /^\.{1,2}\//.test(specifier);
      if (!isRelative && !specifier.startsWith('#') && resolveAlias(folder, specifier) !== null) {
        return { file, specifier };
      }
      const next = isRelative ? sourceAt(resolve(dirname(file), specifier)) : null;
      if (next !== null && SOURCE.test(extname(next)) && files.size < MAX_FILES) files.add(next);
    }
  }
  return null;
}

function importsOf(file: string): readonly string[] {
  const text = (readText(file) ?? '').replace(OF_TYPES, '');
  return [...text.matchAll(IMPORT)].flatMap(([, specifier]) => (specifier === undefined ? [] : [specifier]));
}
