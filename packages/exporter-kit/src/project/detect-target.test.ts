import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { detectTarget } from './detect-target.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stepfork project '));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Files of a project, objects as JSON. */
function project(files: Readonly<Record<string, unknown>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

const detect = (framework: string, entrypoint: string, testFile?: string) =>
  detectTarget(join(root, 'tests'), framework, {
    entrypointFile: join(root, entrypoint),
    ...(testFile === undefined ? {} : { testFile: join(root, 'tests', testFile) }),
  });

describe('detectTarget', () => {
  test('the test is in the language of the entrypoint, or of the file it is to be written to', () => {
    project({ 'package.json': { type: 'module' }, 'tsconfig.json': '{}' });
    expect(detect('vitest', 'agent.ts')).toMatchObject({ typescript: true, module: 'esm' });
    expect(detect('vitest', 'agent.mjs')).toMatchObject({ typescript: false, module: 'esm' });
    expect(detect('vitest', 'agent.mjs', 'agent.test.mts')).toMatchObject({ typescript: true });
    expect(detect('vitest', 'agent.ts').reason).toContain('a vitest test in TypeScript, as the entrypoint agent.ts is');
  });

  test('without either, a tsconfig.json or TypeScript beside the test decides', () => {
    project({ 'tests/x.js': '' });
    expect(detectTarget(join(root, 'tests'), 'vitest')).toMatchObject({ typescript: false });
    project({ 'tests/x.ts': '' });
    expect(detectTarget(join(root, 'tests'), 'vitest')).toMatchObject({ typescript: true });
    rmSync(join(root, 'tests/x.ts'));
    project({ 'tsconfig.json': '{}' });
    expect(detectTarget(join(root, 'tests'), 'vitest')).toMatchObject({ typescript: true });
  });

  test.each([
    ["import a from './a.js';\nimport b from \"../b.mjs\";\nimport './c';", 'js'],
    ["import a from './a';\nexport * from './b.config';\nimport d from './data.json';", 'none'],
    ["import a from './a.ts';\nconst b = await import('./b.ts');", 'ts'],
  ])('imports end as those of the project do: %j', (source, importSuffix) => {
    project({ 'package.json': { type: 'module' }, 'src/other.ts': source, 'node_modules/x/y.ts': "import './z.ts'" });
    expect(detect('vitest', 'src/agent.ts')).toMatchObject({ importSuffix });
  });

  test.each([
    [{ module: 'NodeNext' }, 'module', 'js'],
    [{ module: 'ES2022', moduleResolution: 'node16' }, 'module', 'js'],
    [{ module: 'NodeNext' }, 'commonjs', 'none'],
    [{ module: 'ESNext', moduleResolution: 'Bundler' }, 'module', 'none'],
    [{ module: 'NodeNext', allowImportingTsExtensions: true }, 'module', 'ts'],
    [{ module: 'NodeNext', rewriteRelativeImportExtensions: true }, 'module', 'ts'],
    [{}, 'module', 'none'],
  ])(
    'where no import shows a habit, the compiler options %j in a %s package decide',
    (compilerOptions, type, importSuffix) => {
      project({ 'package.json': { type }, 'tsconfig.json': { compilerOptions } });
      expect(detect('vitest', 'agent.ts')).toMatchObject({ importSuffix });
    },
  );

  test('tsconfig.json may have comments, trailing commas and bases', () => {
    project({
      'package.json': { type: 'module' },
      'node_modules/@tsconfig/node20/tsconfig.json': { compilerOptions: { module: 'node16' } },
      'base.json': { extends: '@tsconfig/node20/tsconfig.json', compilerOptions: { strict: true } },
      'tsconfig.json':
        '{\n // "module": "es2015"\n "extends": ["./base"], /* , */ "compilerOptions": { "outDir": "//", },\n}',
    });
    expect(detect('vitest', 'agent.ts')).toMatchObject({ importSuffix: 'js' });
  });

  test('a circle of bases ends', () => {
    project({ 'tsconfig.json': { extends: './tsconfig.json' } });
    expect(detect('vitest', 'agent.ts')).toMatchObject({ importSuffix: 'none' });
  });

  test.each([
    [{ 'jest.config.mjs': "export default { transform: { '\\\\.ts$': '@swc/jest' } }" }, 'cjs', '@swc/jest'],
    [
      { 'jest.config.ts': "export default { preset: 'ts-jest/presets/default-esm', extensionsToTreatAsEsm: ['.ts'] }" },
      'esm',
      'ts-jest',
    ],
    [{ 'package.json': { jest: { transform: { ts: ['@swc/jest', {}] } } } }, 'cjs', '@swc/jest'],
    [{ 'package.json': { devDependencies: { '@babel/preset-typescript': '7' } } }, 'cjs', 'babel-jest'],
    [{ '.babelrc': '{"presets":["@babel/preset-typescript"]}' }, 'cjs', 'babel-jest'],
    [{ 'jest.config.js': 'module.exports = {}' }, 'cjs', 'add one, for example @swc/jest'],
  ])('jest runs TypeScript as its configuration %j has it', (files, module, mentioned) => {
    project(files);
    const target = detect('jest', 'agent.ts');
    expect(target).toMatchObject({ typescript: true, module });
    expect(target.reason).toContain(mentioned);
  });

  test.each([
    ['agent.mjs', 'commonjs', 'esm'],
    ['agent.cjs', 'module', 'cjs'],
    ['agent.js', 'module', 'esm'],
    ['agent.js', 'commonjs', 'cjs'],
  ])('jest takes %s in a %s package as %s', (entrypoint, type, module) => {
    project({ 'package.json': { type } });
    const target = detect('jest', entrypoint);
    expect(target).toMatchObject({ typescript: false, module, globals: false });
    expect(target.reason.includes('--experimental-vm-modules')).toBe(module === 'esm');
  });

  test('the name of the output file has the last word on the module kind', () => {
    project({ 'package.json': { type: 'commonjs' } });
    expect(detect('jest', 'agent.js', 'agent.test.mjs')).toMatchObject({ module: 'esm' });
    expect(detect('jest', 'agent.mjs', 'agent.test.cjs')).toMatchObject({ module: 'cjs' });
  });

  test('a project with @types/jest, at its workspace root too, has typed globals', () => {
    project({ 'package.json': { devDependencies: { '@types/jest': '30' } }, 'packages/a/package.json': {} });
    const target = detectTarget(join(root, 'packages', 'a'), 'jest', {
      entrypointFile: join(root, 'packages/a/agent.ts'),
    });
    expect(target.globals).toBe(true);
    expect(detect('vitest', 'agent.ts').globals).toBe(false);
  });

  test('broken files of the project change nothing', () => {
    project({ 'package.json': '{', 'tsconfig.json': '[1]', 'jest.config.json': '{', 'src/a.ts': "import from './" });
    expect(detect('jest', 'src/agent.ts')).toMatchObject({ typescript: true, module: 'cjs', importSuffix: 'none' });
  });

  test('the reason is one line, whatever the files are called', () => {
    const { reason } = detect('jest', 'evil\n\u001b[2J.ts');
    expect(reason).not.toMatch(/\p{Cc}/u);
  });
});
