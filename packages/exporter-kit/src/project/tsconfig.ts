import { dirname, isAbsolute, join, resolve } from 'node:path';
import { asRecord, parseJsonc } from './jsonc.js';
import { findUpward, readText, upward } from './read.js';

/** The compiler options that decide how a relative import is written. */
export interface TsConfig {
  readonly file: string;
  /** node16, nodenext and the like: an ES module must name the file that will run, `./agent.js`. */
  readonly nodeResolution: boolean;
  readonly tsExtensions: boolean;
  /** Path aliases, `@/*` → `./src/*`, and the folder that these paths are from. */
  readonly aliases: { readonly folder: string; readonly paths: Readonly<Record<string, readonly string[]>> };
}

/** A chain of `extends` longer than this is a circle. */
const MAX_EXTENDS = 16;

/** The nearest tsconfig.json of `folder`, its `extends` followed; null where there is none. */
export function readTsConfig(folder: string): TsConfig | null {
  const found = findUpward(folder, 'tsconfig.json');
  if (found === null) return null;
  const options = compilerOptions(found.file, found.text, MAX_EXTENDS);
  const resolution = String(options.moduleResolution ?? options.module ?? '').toLowerCase();
  return {
    file: found.file,
    nodeResolution: /^node(?:\d\d|next)$/.test(resolution),
    tsExtensions: options.allowImportingTsExtensions === true || options.rewriteRelativeImportExtensions === true,
    aliases: {
      folder: String(options.baseUrl ?? options[PATHS_FOLDER] ?? dirname(found.file)),
      paths: aliasesIn(asRecord(options.paths) ?? {}),
    },
  };
}

function aliasesIn(paths: Readonly<Record<string, unknown>>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(paths).map(([alias, targets]) => [
      alias,
      [targets].flat().filter((target): target is string => typeof target === 'string'),
    ]),
  );
}

/** Where `paths` were read: they are relative to that file's folder unless there is a `baseUrl`. */
const PATHS_FOLDER = '(folder of paths)';

function compilerOptions(file: string, text: string, left: number): Readonly<Record<string, unknown>> {
  const content = parseJsonc(text);
  if (content === null) return {};
  const bases = [content.extends].flat().filter((base): base is string => typeof base === 'string');
  const inherited = left === 0 ? [] : bases.map((base) => extended(base, file, left));
  const own = asRecord(content.compilerOptions) ?? {};
  return Object.assign({}, ...inherited, own, {
    ...(own.paths === undefined ? {} : { [PATHS_FOLDER]: dirname(file) }),
    ...(typeof own.baseUrl === 'string' ? { baseUrl: resolve(dirname(file), own.baseUrl) } : {}),
  });
}

function extended(base: string, from: string, left: number): Readonly<Record<string, unknown>> {
  for (const file of candidates(base, dirname(from))) {
    const text = readText(file);
    if (text !== null) return compilerOptions(file, text, left - 1);
  }
  return {};
}

/** Where TypeScript looks for what `extends` names: a path, with or without `.json`, or a package's file. */
function candidates(base: string, folder: string): string[] {
  const places =
    base.startsWith('.') || isAbsolute(base)
      ? [resolve(folder, base)]
      : upward(folder).map((above) => join(above, 'node_modules', base));
  return places.flatMap((place) => [place, `${place}.json`, join(place, 'tsconfig.json')]);
}
