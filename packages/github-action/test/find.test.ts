import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

interface ExportedTest {
  readonly path: string;
  readonly bundle: string;
  readonly exporter: string;
  readonly entrypoint: string | null;
  readonly flags: readonly string[];
}

// A program without types, as GitHub runs it.
const load = (name: string): Promise<unknown> => import(new URL(`../src/${name}.mjs`, import.meta.url).href);
const { findBundles } = (await load('bundles')) as {
  findBundles: (folder: string, patterns: readonly string[]) => readonly string[];
};
const { findExportedTests } = (await load('exported-tests')) as {
  findExportedTests: (folder: string, bundles: readonly string[]) => readonly ExportedTest[];
};

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-find-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

test('bundles are files or folders, found by pattern, and never by way of a link', () => {
  const folder = folderWith({
    'a/__traces__/one.sftrace': '',
    'a/b/__traces__/two.sftrace/manifest.json': '{}',
    'a/b/__traces__/two.sftrace/inner.sftrace': '',
    '__traces__/three.sftrace': '',
    '.hidden/__traces__/four.sftrace': '',
    'node_modules/x/__traces__/five.sftrace': '',
    '__traces__/notes.txt': '',
    'odd (1)/+$.sftrace': '',
  });
  symlinkSync(join(folder, 'a'), join(folder, 'linked'), 'junction');
  const found = (...patterns: readonly string[]) => findBundles(folder, patterns);
  expect(found('**/__traces__/*.sftrace')).toEqual([
    '__traces__/three.sftrace',
    'a/__traces__/one.sftrace',
    'a/b/__traces__/two.sftrace',
  ]);
  expect(found('a/*/*.sftrace', '.hidden/**')).toEqual(['.hidden/__traces__/four.sftrace', 'a/__traces__/one.sftrace']);
  expect(found('odd (1)/+$.sftrace')).toEqual(['odd (1)/+$.sftrace']);
  expect(found('odd (1)/?$.sftrace', '**/t*e*.sftrace')).toEqual(['__traces__/three.sftrace', 'odd (1)/+$.sftrace']);
  expect(found('**/*.json', '../**')).toEqual([]);
});

const header = (first: string, second: string): string =>
  `// Regression test of a recorded run of "an agent", written by Stepfork.
//
// What went wrong: something
// Write it anew, in this folder:
//   stepfork export ${first} \\
//     ${second} --output x.test.ts --overwrite
//
`;

test('an exported test says what it replays, from the folder in which it lies', () => {
  const folder = folderWith({
    'tests/plain.test.ts': header(
      './__traces__/a.sftrace --to vitest --entrypoint ../src/agent.ts:run',
      '--expect-same',
    ),
    'tests/deep/quoted.test.mjs': header(
      "'../__traces__/a.sftrace' --to jest --entrypoint '../../src/it'\\''s.mjs:run'",
      "--ignore 'tool:a b=/now' --now real --skip-sleeps --expect-output <expected.json>",
    ),
    'tests/live.test.ts': header(
      './__traces__/a.sftrace --to vitest --entrypoint ../a.ts:run',
      '--mode hybrid --live-llm m --expect-same',
    ),
    'tests/input.test.ts': header(
      './__traces__/a.sftrace --to vitest --entrypoint ../a.ts:run',
      '--input <input.json> --expect-same',
    ),
    'tests/other.test.ts': header('./__traces__/b.sftrace --to vitest --entrypoint ../a.ts:run', '--expect-same'),
    'tests/ours.test.ts': `// A test that a person wrote.\n${header('./__traces__/a.sftrace --to vitest', '')}`,
    'tests/notes.md': header('./__traces__/a.sftrace --to vitest', ''),
  });
  const bundle = 'tests/__traces__/a.sftrace';
  expect(findExportedTests(folder, [bundle])).toEqual([
    {
      path: 'tests/deep/quoted.test.mjs',
      bundle,
      exporter: 'jest',
      entrypoint: "src/it's.mjs:run",
      flags: ['--ignore=tool:a b=/now', '--now=real', '--skip-sleeps'],
    },
    { path: 'tests/input.test.ts', bundle, exporter: 'vitest', entrypoint: null, flags: [] },
    { path: 'tests/live.test.ts', bundle, exporter: 'vitest', entrypoint: null, flags: ['--mode=hybrid'] },
    { path: 'tests/plain.test.ts', bundle, exporter: 'vitest', entrypoint: 'src/agent.ts:run', flags: [] },
  ]);
});
