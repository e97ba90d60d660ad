import { join } from 'node:path';
import safeStringify from 'safe-stable-stringify';
import type { Package } from './package-json.js';
import { readText, upward } from './read.js';

/** What can be told of a jest configuration without running it. */
export interface JestConfig {
  /** Path of the configuration, or null where jest runs on its defaults. */
  readonly file: string | null;
  /** Package that turns TypeScript into JavaScript, or null where none is seen. */
  readonly typescriptTransform: string | null;
  /** TypeScript files are run as ES modules, not transformed to CommonJS. */
  readonly typescriptAsEsm: boolean;
}

const EXTENSIONS = ['.js', '.ts', '.mjs', '.mts', '.cjs', '.cts', '.json'];
const BABEL_FILES = [
  'babel.config.js',
  'babel.config.cjs',
  'babel.config.mjs',
  'babel.config.json',
  '.babelrc',
  '.babelrc.json',
  '.babelrc.js',
  '.babelrc.cjs',
];
const TRANSFORMS = ['@swc/jest', 'ts-jest', 'esbuild-jest', '@sucrase/jest-plugin'];

/**
 * The nearest jest configuration, read as text: a configuration is a program, and an export runs none but the
 * entrypoint.
 */
export function readJestConfig(folder: string, project: Package): JestConfig {
  const { file, text } = nearestConfig(folder, project) ?? { file: null, text: '' };
  return {
    file,
    typescriptTransform: TRANSFORMS.find((name) => mentions(text, name)) ?? babelForTypeScript(folder, project),
    typescriptAsEsm: /extensionsToTreatAsEsm["']?\s*:\s*\[[^\]]*\.m?tsx?\b/.test(text),
  };
}

function nearestConfig(folder: string, project: Package): { readonly file: string; readonly text: string } | null {
  for (const candidate of upward(folder)) {
    for (const extension of EXTENSIONS) {
      const file = join(candidate, `jest.config${extension}`);
      const text = readText(file);
      if (text !== null) return { file, text };
    }
    if (project.jest !== null && project.jest.file === join(candidate, 'package.json')) {
      return { file: project.jest.file, text: safeStringify(project.jest.value) ?? '' };
    }
  }
  return null;
}

/** Quoted, or the beginning of a quoted path into the package: `ts-jest/presets/default-esm`. */
function mentions(text: string, name: string): boolean {
  return new RegExp(`["'\`]${name}["'\`/]`).test(text);
}

/** babel-jest is jest's default transform; it takes TypeScript only where babel has been given the preset. */
function babelForTypeScript(folder: string, project: Package): string | null {
  const configured = upward(folder).some((candidate) =>
    BABEL_FILES.some((name) => readText(join(candidate, name))?.includes('preset-typescript')),
  );
  return configured || project.dependsOn('@babel/preset-typescript') ? 'babel-jest' : null;
}
