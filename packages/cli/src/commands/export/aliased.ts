import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { findAliasedImport } from '@stepfork/exporter-kit';
import type { Entrypoint } from '../../entrypoint.js';

/** Where each runner is told to follow path aliases, by which words, and what to add where it is not. */
const RUNNERS: Readonly<Record<string, { readonly files: RegExp; readonly says: RegExp; readonly add: string }>> = {
  vitest: {
    files: /^(?:vite|vitest)\.(?:config|workspace|projects)\.\w+$/,
    says: /\balias\b|tsconfig-?paths/i,
    add: 'add the plugin of vite-tsconfig-paths, or its resolve.alias',
  },
  jest: {
    files: /^(?:jest\.config\.\w+|package\.json|babel\.config\.\w+|\.babelrc(?:\.\w+)?|\.swcrc)$/,
    says: /moduleNameMapper|pathsToModuleNameMapper|modulePaths|module-resolver|next\/jest|["']?\bpaths\b["']?\s*:/,
    add: 'add a moduleNameMapper for it',
  },
};

/** Why a runner would not find what the agent imports by a path alias; null where it would, or nothing is imported so. */
export function whyUnaliased(runner: string, testFile: string, { file, alias }: Entrypoint): string | null {
  const known = Object.hasOwn(RUNNERS, runner) ? RUNNERS[runner] : undefined;
  if (known === undefined) return null;
  const ofTest = alias === null || alias.startsWith('#') ? null : { file: testFile, specifier: alias };
  const found = ofTest ?? findAliasedImport(file);
  if (found === null || configTexts(dirname(testFile), known.files).some((text) => known.says.test(text))) return null;
  return `${runner} follows no path alias of tsconfig.json by itself, and ${relative('', found.file)} imports '${found.specifier}'. In the configuration of ${runner}, ${known.add}.`;
}

/** Read as text: a configuration is a program, and an export runs none but the entrypoint. */
function configTexts(folder: string, names: RegExp): readonly string[] {
  const above = dirname(resolve(folder));
  const own = textsIn(resolve(folder), names);
  return above === resolve(folder) ? own : [...own, ...configTexts(above, names)];
}

function textsIn(folder: string, names: RegExp): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => names.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8'));
  } catch {
    // The folder of a test may not be there yet, and what cannot be read says nothing.
    return [];
  }
}
