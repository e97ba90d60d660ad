import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import js from '@eslint/js';
import type { RegressionCase } from '@stepfork/exporter-kit';
import { renderFiles } from '@stepfork/exporter-kit';
import { ESLint, type Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { afterAll, describe, expect, test } from 'vitest';
import { NOTIFY_CASE } from '../regression-case.js';

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
const folder = mkdtempSync(join(tmpdir(), 'stepfork-format-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { expected: _, ...unstated } = NOTIFY_CASE;
const flights = Array.from({ length: 3 }, (_, index) => ({
  id: `F${index}`,
  price: 100 * index,
  'from-to': ['KTM', 'DEL'],
}));
const nested = {
  flights,
  scores: Array.from({ length: 60 }, (_, index) => index / 7),
  note: "it's",
  empty: {},
  none: [],
};

const cases: Readonly<Record<string, RegressionCase>> = {
  typescript: NOTIFY_CASE,
  commonjs: { ...NOTIFY_CASE, fileName: 'a.test.cjs', target: { module: 'cjs', typescript: false, globals: false } },
  globals: { ...NOTIFY_CASE, target: { module: 'cjs', typescript: true, globals: true } },
  javascript: { ...NOTIFY_CASE, fileName: 'a.test.mjs', target: { module: 'esm', typescript: false, globals: false } },
  renamed: { ...NOTIFY_CASE, entrypoint: { ...NOTIFY_CASE.entrypoint, exportName: 'test' } },
  default: { ...NOTIFY_CASE, entrypoint: { ...NOTIFY_CASE.entrypoint, exportName: 'default' } },
  long: { ...NOTIFY_CASE, trace: { path: `../${'far/'.repeat(12)}failure.sftrace` }, title: 'x'.repeat(90) },
  far: {
    ...NOTIFY_CASE,
    entrypoint: { ...NOTIFY_CASE.entrypoint, specifier: `../${'far/'.repeat(20)}agent.js` },
    expected: 'sentence '.repeat(20),
  },
  prose: {
    ...NOTIFY_CASE,
    expected: { text: 'word '.repeat(20), answer: 'word '.repeat(20), all: ['word '.repeat(20)] },
  },
  nested: { ...NOTIFY_CASE, expected: nested },
  rows: {
    ...NOTIFY_CASE,
    expected: [
      [1, 2],
      [3, 4],
      ['a', null],
    ],
  },
  scalar: { ...NOTIFY_CASE, expected: true },
  empty: { ...NOTIFY_CASE, expected: [] },
  match: { ...unstated, match: { should_notify: true } },
  error: {
    ...unstated,
    error: { type: 'RefundError', message: 'the window of 30 days is over, and nothing was broken' },
  },
  'long-error': { ...unstated, error: { type: 'x'.repeat(90) } },
  steps: {
    ...NOTIFY_CASE,
    trajectory: {
      called: ['order_status'],
      counts: { order_status: 1 },
      arguments: [{ name: 'order_status', value: { args: ['ORD-1001'] } }],
      order: [
        ['a', 'b'],
        ['c', 'd'],
      ],
      max_steps: 3,
    },
  },
  beside: {
    ...NOTIFY_CASE,
    expected: {
      ...nested,
      lines: Array.from({ length: 50 }, (_, index) => `${index}`),
      rows: [
        [1, 2],
        [3, 4],
        ['a', null, []],
        [
          { a: 1, b: 2 },
          { a: 2, b: 3 },
        ],
      ],
      flags: [true, false, null, -0, 1e21],
    },
  },
  'far-beside': {
    ...NOTIFY_CASE,
    fileName: `${'n'.repeat(60)}.test.ts`,
    expected: Array.from({ length: 50 }, (_, index) => `${index}`),
  },
  options: {
    ...NOTIFY_CASE,
    options: {
      ...{ mode: 'hybrid', liveLlms: ['openai/gpt-4o'], order: 'any', now: '2026-01-31', skipSleeps: true },
      ignore: { 'tool:search': ['/now', '/seen/*'], 'llm:*': ['/messages/*/id'] },
      allow: Array.from({ length: 6 }, (_, index) => `host-${index}.example.test`),
    },
  },
  pinned: unstated,
  failed: { ...unstated, recordedEnd: 'failed', recordedFailure: { type: 'TimeoutError', message: 'late' } },
};

const DIALECTS = [
  ['vitest', 'vitest'],
  ['jest', '@jest/globals'],
] as const;

const dialectOf = (exporter: string, framework: string) => ({
  exporter,
  packageName: `@stepfork/exporter-${exporter}`,
  framework,
  functions: ['beforeAll', 'describe', 'expect', 'test'],
});

describe('a rendered test', () => {
  test.each(DIALECTS)('is what biome would have made of it, for %s', (exporter, framework) => {
    const dialect = dialectOf(exporter, framework);
    // Single quotes are the one choice that biome and prettier leave open; all else is their default.
    const options = { formatter: { indentStyle: 'space' }, javascript: { formatter: { quoteStyle: 'single' } } };
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(options));
    const files = Object.entries(cases).flatMap(([name, regression]) =>
      renderFiles(regression, dialect).map(({ path, text }, index) => {
        const file = index === 0 ? `${exporter}-${name}.test.${path.split('.').at(-1)}` : `${exporter}-${name}.json`;
        writeFileSync(join(folder, file), text);
        return file;
      }),
    );
    const { status, stdout, stderr } = spawnSync(process.execPath, [biome, 'check', '--colors=off', ...files], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(status === 0 ? 'nothing to say' : `${stdout}${stderr}`).toBe('nothing to say');
  });

  test.each(DIALECTS)("has nothing that eslint's and typescript-eslint's defaults object to, for %s", async (...of) => {
    const dialect = dialectOf(...of);
    // Read by no default: where the framework's functions are globals, the project's own settings declare them.
    const globals = { beforeAll: false, describe: false, expect: false, test: false } as const;
    const typescript = [...tseslint.configs.strict, ...tseslint.configs.stylistic];
    const configs = [
      { ...js.configs.recommended, languageOptions: { globals } },
      ...typescript.map((config) => ({ ...config, files: ['**/*.ts'] })),
    ];
    const eslint = new ESLint({ cwd: folder, overrideConfigFile: true, overrideConfig: configs as Linter.Config[] });
    for (const [name, regression] of Object.entries(cases)) {
      const [{ text = '' } = {}] = renderFiles(regression, dialect);
      const filePath = join(folder, `${name}${regression.fileName.slice(regression.fileName.lastIndexOf('.'))}`);
      const [result] = await eslint.lintText(text, { filePath });
      expect(result?.messages, `${name}\n${text}`).toEqual([]);
    }
  });
});
