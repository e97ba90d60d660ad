/** One kind of project that an exported test has to run in. */
export interface Cell {
  readonly runner: Runner;
  /** What turns the sources into what jest runs; vitest does it itself. */
  readonly transform: Transform | null;
  readonly language: 'ts' | 'js';
  readonly modules: 'esm' | 'cjs';
  readonly packages: 'npm' | 'pnpm';
}

export type Runner = 'vitest 3' | 'vitest 4' | 'vitest 5' | 'jest 29' | 'jest 30';
export type Transform = '@swc/jest' | 'ts-jest' | 'babel-jest';

const RUNNERS: readonly Runner[] = ['vitest 3', 'vitest 4', 'vitest 5', 'jest 29', 'jest 30'];
const LANGUAGES = ['ts', 'js'] as const;
const MODULES = ['esm', 'cjs'] as const;
const MANAGERS = ['npm', 'pnpm'] as const;

/** All that there are. */
export const CELLS: readonly Cell[] = RUNNERS.flatMap((runner) =>
  LANGUAGES.flatMap((language) =>
    transformsOf(runner, language).flatMap((transform) =>
      MODULES.flatMap((modules) =>
        MANAGERS.map((packages) => ({ runner, transform, language, modules, packages }) satisfies Cell),
      ),
    ),
  ),
);

function transformsOf(runner: Runner, language: 'ts' | 'js'): readonly (Transform | null)[] {
  if (runner.startsWith('vitest')) return [null];
  return language === 'ts' ? ['@swc/jest', 'ts-jest', 'babel-jest'] : ['@swc/jest', 'babel-jest'];
}

/** Eight that have, between them, every value and as many pairs of values as eight can. */
export const CHOSEN: readonly Cell[] = [
  { runner: 'vitest 4', transform: null, language: 'ts', modules: 'esm', packages: 'npm' },
  { runner: 'vitest 3', transform: null, language: 'js', modules: 'cjs', packages: 'pnpm' },
  { runner: 'vitest 5', transform: null, language: 'ts', modules: 'cjs', packages: 'npm' },
  { runner: 'jest 30', transform: '@swc/jest', language: 'ts', modules: 'cjs', packages: 'npm' },
  { runner: 'jest 29', transform: 'ts-jest', language: 'ts', modules: 'esm', packages: 'pnpm' },
  { runner: 'jest 30', transform: 'babel-jest', language: 'js', modules: 'esm', packages: 'npm' },
  { runner: 'jest 29', transform: '@swc/jest', language: 'js', modules: 'cjs', packages: 'pnpm' },
  { runner: 'jest 29', transform: 'babel-jest', language: 'ts', modules: 'cjs', packages: 'pnpm' },
];

export function nameOf({ runner, transform, language, modules, packages }: Cell): string {
  const by = transform === null ? runner : `${runner} with ${transform}`;
  const written = `${language === 'ts' ? 'TypeScript' : 'JavaScript'}, ${modules === 'esm' ? 'ES modules' : 'CommonJS'}`;
  return `${by} (${written}, ${packages})`;
}
