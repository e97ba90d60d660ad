import { dirname, resolve } from 'node:path';
import { asRecord, parseJsonc } from './jsonc.js';
import { findUpward, isFile } from './read.js';
import { readTsConfig } from './tsconfig.js';

/** What a path without a suffix, or with that of the file that will run, may stand for. */
const SUFFIXES = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

/**
 * The file that a path alias stands for in the project around `folder`: an alias of tsconfig.json's `paths` (`@/agent`),
 * or of package.json's `imports` (`#agent`).
 *
 * @returns its absolute path; null where it is no alias, or its file is not there
 */
export function resolveAlias(folder: string, specifier: string): string | null {
  if (/^\.{0,2}[\\/]/.test(specifier)) return null;
  const start = resolve(folder);
  const targets = specifier.startsWith('#') ? importsOf(start, specifier) : pathsOf(start, specifier);
  for (const target of targets) {
    const file = sourceAt(target);
    if (file !== null) return file;
  }
  return null;
}

/** The file that an import of this path means; null where it is not there. */
export const sourceAt = (path: string): string | null => candidates(path).find(isFile) ?? null;

function pathsOf(folder: string, specifier: string): readonly string[] {
  const aliases = readTsConfig(folder)?.aliases;
  if (aliases === undefined) return [];
  return matching(aliases.paths, specifier).map((path) => resolve(aliases.folder, path));
}

function importsOf(folder: string, specifier: string): readonly string[] {
  const found = findUpward(folder, 'package.json');
  const imports = asRecord(parseJsonc(found?.text ?? '')?.imports) ?? {};
  const paths = Object.fromEntries(Object.entries(imports).map(([alias, target]) => [alias, strings(target)]));
  return matching(paths, specifier).map((path) => resolve(dirname(found?.file ?? folder), path));
}

/** The paths of an entry of `imports`, under whatever conditions. */
function strings(target: unknown): readonly string[] {
  if (typeof target === 'string') return [target];
  const inner = Array.isArray(target) ? target : Object.values(asRecord(target) ?? {});
  return inner.flatMap(strings);
}

/** The longest pattern counts, as for TypeScript and for Node. */
function matching(paths: Readonly<Record<string, readonly string[]>>, specifier: string): readonly string[] {
  const patterns = Object.keys(paths).sort((a, b) => b.length - a.length);
  for (const pattern of patterns) {
    const [before = '', after] = pattern.split('*');
    if (after === undefined && pattern === specifier) return paths[pattern] ?? [];
    if (after === undefined || !specifier.startsWith(before) || !specifier.endsWith(after)) continue;
    const middle = specifier.slice(before.length, specifier.length - after.length);
    return (paths[pattern] ?? []).map((path) => path.replace('*', () => middle));
  }
  return [];
}

function candidates(path: string): readonly string[] {
  const source = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  const appended = SUFFIXES.flatMap((suffix) => [`${path}${suffix}`, `${path}/index${suffix}`]);
  return [source, path, ...appended];
}
