import { basename, dirname, extname, resolve } from 'node:path';
import { displayText } from '@stepfork/trace-format';
import type { ImportSuffix, RenderTarget } from '../case.js';
import { countImports } from './import-habit.js';
import { readJestConfig } from './jest-config.js';
import type { Package } from './package-json.js';
import { readPackage } from './package-json.js';
import { readFolder } from './read.js';
import { readTsConfig } from './tsconfig.js';

/** What a test in a given place of a given project has to look like to run there as it is. */
export interface DetectedTarget extends RenderTarget {
  readonly globals: boolean;
  readonly importSuffix: ImportSuffix;
  /** One line for a person: what was chosen, and what it was read from. */
  readonly reason: string;
}

export interface DetectOptions {
  /** The file that exports the entrypoint; its language decides the test's. */
  readonly entrypointFile?: string;
  /** The test file's name as the user gave it; its extension decides over everything else. */
  readonly testFile?: string;
  /** The module system that the user chose; decides for jest. */
  readonly module?: 'esm' | 'cjs' | undefined;
}

/**
 * Reads the project around `testFolder`: package.json, tsconfig.json, and for jest its configuration, as text. Nothing
 * of the project is run.
 *
 * @param framework the exporter's name; what only jest needs is read for `jest`
 */
export function detectTarget(testFolder: string, framework: string, options: DetectOptions = {}): DetectedTarget {
  const folder = resolve(testFolder);
  const project = readPackage(folder);
  const language = chooseLanguage(folder, options);
  const chosen = language.typescript
    ? typescriptTarget(folder, framework, project, options)
    : javascriptTarget(framework, project, options);
  const reason = [`a ${displayText(framework)} test in ${language.why}`, ...chosen.why].join('; ');
  return { ...chosen.target, typescript: language.typescript, reason };
}

interface Choice {
  readonly target: { readonly module: 'esm' | 'cjs'; readonly globals: boolean; readonly importSuffix: ImportSuffix };
  readonly why: readonly string[];
}

function chooseLanguage(folder: string, { entrypointFile, testFile }: DetectOptions) {
  const languages = { true: 'TypeScript', false: 'JavaScript' };
  for (const [file, what] of [
    [testFile, 'the output file'],
    [entrypointFile, 'the entrypoint'],
  ] as const) {
    const typescript = file === undefined ? null : isTypeScript(file);
    if (file !== undefined && typescript !== null) {
      const language = languages[`${typescript}`];
      return { typescript, why: `${language}, as ${what} ${displayText(basename(file))} is` };
    }
  }
  const tsconfig = readTsConfig(folder);
  if (tsconfig !== null) return { typescript: true, why: `TypeScript, as ${shown(tsconfig.file)} is there` };
  const sources = readFolder(folder).files.filter((name) => isTypeScript(name) === true);
  return sources.length > 0
    ? { typescript: true, why: `TypeScript, as ${displayText(sources[0] ?? '')} beside it is` }
    : { typescript: false, why: 'JavaScript, as no tsconfig.json is there' };
}

function isTypeScript(file: string): boolean | null {
  const extension = extname(file);
  if (/^\.[cm]?tsx?$/.test(extension)) return true;
  return /^\.[cm]?jsx?$/.test(extension) ? false : null;
}

function typescriptTarget(folder: string, framework: string, project: Package, options: DetectOptions): Choice {
  const suffix = chooseSuffix(folder, project, options);
  if (framework !== 'jest') {
    return { target: { module: 'esm', globals: false, importSuffix: suffix.suffix }, why: [suffix.why] };
  }
  const config = readJestConfig(folder, project);
  const globals = project.dependsOn('@types/jest');
  const module = options.module ?? (config.typescriptAsEsm ? 'esm' : 'cjs');
  const transform =
    config.typescriptTransform === null
      ? 'jest has no TypeScript transform that shows in its configuration: add one, for example @swc/jest'
      : `jest runs it by ${config.typescriptTransform} as ${NAMES[module]}${options.module === undefined ? '' : ', as --module says'}`;
  return {
    target: { module, globals, importSuffix: suffix.suffix },
    why: [transform, ...(globals ? ['@types/jest types the globals'] : []), suffix.why],
  };
}

function javascriptTarget(framework: string, project: Package, options: DetectOptions): Choice {
  const { module, why } =
    framework === 'jest'
      ? chooseJavaScriptModule(project, options)
      : { module: 'esm' as const, why: `${displayText(framework)} loads ES modules` };
  const flag = framework === 'jest' && module === 'esm' ? ['run jest with node --experimental-vm-modules'] : [];
  return { target: { module, globals: false, importSuffix: 'js' }, why: [why, ...flag] };
}

const NAMES = { esm: 'an ES module', cjs: 'CommonJS' } as const;

function chooseJavaScriptModule(project: Package, { entrypointFile, testFile, module }: DetectOptions) {
  if (module !== undefined) return { module, why: `it is ${NAMES[module]}, as --module says` };
  for (const file of [testFile, entrypointFile]) {
    const extension = file === undefined ? '' : extname(file);
    if (extension === '.mjs')
      return { module: 'esm' as const, why: `${displayText(basename(file ?? ''))} is an ES module` };
    if (extension === '.cjs')
      return { module: 'cjs' as const, why: `${displayText(basename(file ?? ''))} is CommonJS` };
  }
  return project.module === 'esm'
    ? { module: 'esm' as const, why: 'package.json says "type": "module"' }
    : { module: 'cjs' as const, why: 'package.json does not say "type": "module"' };
}

const ENDINGS: Readonly<Record<ImportSuffix, string>> = { js: 'in .js', none: 'without a suffix', ts: 'in .ts' };

/** What the sources do; where they show nothing, what the compiler asks for. */
function chooseSuffix(folder: string, project: Package, { entrypointFile }: DetectOptions) {
  const roots = [entrypointFile === undefined ? null : dirname(resolve(entrypointFile)), folder, project.folder];
  const counts = countImports(roots.filter((root) => root !== null));
  const total = counts.js + counts.none + counts.ts;
  if (total > 0) {
    const suffix = (['js', 'none', 'ts'] as const).reduce((best, other) =>
      counts[other] > counts[best] ? other : best,
    );
    return { suffix, why: `imports end ${ENDINGS[suffix]}, as ${counts[suffix]} of ${total} in this project do` };
  }
  const tsconfig = readTsConfig(folder);
  const suffix = fromCompiler(tsconfig, project);
  const because = tsconfig === null ? 'no other import shows a habit' : `${shown(tsconfig.file)} asks for it`;
  return { suffix, why: `imports end ${ENDINGS[suffix]}, as ${because}` };
}

function fromCompiler(tsconfig: ReturnType<typeof readTsConfig>, project: Package): ImportSuffix {
  if (tsconfig === null) return 'none';
  if (tsconfig.tsExtensions) return 'ts';
  return tsconfig.nodeResolution && project.module === 'esm' ? 'js' : 'none';
}

function shown(file: string): string {
  return displayText(basename(file));
}
