import type { Cell } from './cell.js';

/** The files that make a folder a project of this kind, but for its agent. */
export function configurationOf(cell: Cell): Readonly<Record<string, string>> {
  const { modules, runner } = cell;
  const manifest = { 'package.json': JSON.stringify({ type: modules === 'esm' ? 'module' : 'commonjs' }) };
  return runner.startsWith('vitest') ? manifest : { ...manifest, ...jestFiles(cell) };
}

function jestFiles(cell: Cell): Readonly<Record<string, string>> {
  const { transform, language, modules } = cell;
  const sources = language === 'ts' ? '\\.ts$' : '\\.[cm]js$';
  const config = {
    testMatch: ['**/*.test.{ts,mjs,cjs}'],
    transform: { [sources]: transform === 'ts-jest' ? ['ts-jest', tsJestOptions(modules)] : transform },
    ...(language === 'ts' ? { moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' } } : {}),
    ...(language === 'ts' && modules === 'esm' ? { extensionsToTreatAsEsm: ['.ts'] } : {}),
  };
  const jest = { 'jest.config.json': JSON.stringify(config, null, 2) };
  return transform === 'babel-jest' ? { ...jest, 'babel.config.json': babelConfig(cell) } : jest;
}

function tsJestOptions(modules: Cell['modules']) {
  const tsconfig =
    modules === 'esm'
      ? { module: 'esnext', moduleResolution: 'bundler' }
      : { module: 'commonjs', moduleResolution: 'node10' };
  return {
    useESM: modules === 'esm',
    tsconfig: { ...tsconfig, target: 'es2022', strict: true, esModuleInterop: true, skipLibCheck: true },
  };
}

function babelConfig({ language, modules }: Cell): string {
  return JSON.stringify({
    presets: language === 'ts' ? ['@babel/preset-typescript'] : [],
    plugins: modules === 'cjs' ? ['@babel/plugin-transform-modules-commonjs'] : [],
  });
}
