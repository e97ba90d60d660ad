import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { blocks } from '../../src/markdown.js';
import { testFolder } from '../../src/test-folder.js';
import { follow } from '../../src/walkthrough.js';
import { ROOT } from '../../src/workspace.js';

const page = blocks(readFileSync(join(ROOT, 'docs/writing-an-exporter.md'), 'utf8'));
const example = (file: string): string => readFileSync(join(ROOT, 'examples/exporter-node-test', file), 'utf8');

test('docs/writing-an-exporter.md builds an exporter step by step, from an empty folder', async () => {
  const walked = await follow(page, testFolder('exporter'), inject('npmEnvironment'));
  const tested = walked.filter(({ command }) => command.startsWith('node --test'));
  expect(tested.map(({ run }) => run.exit)).toEqual([0, 1, 0]);
  expect(tested[1]?.run.output).toContain("behavior mismatch at 'should_notify': expected true, got false");
  expect(walked.at(-1)?.run.output).toMatch(/# pass 21\n# fail 0/);
});

test('it is the exporter of examples/exporter-node-test, in fewer than 120 lines', () => {
  for (const file of ['exporter.ts', 'conformance.test.ts']) {
    expect(page.findLast(({ title }) => title === file)?.text).toBe(example(file));
  }
  expect(example('exporter.ts').split('\n').length).toBeLessThan(120);
  // The public contract alone.
  const imported = Array.from(example('exporter.ts').matchAll(/ from '([^$']+)';/g), ([, name]) => name);
  expect(new Set(imported)).toEqual(
    new Set(['@stepfork/exporter-kit', '@stepfork/exporter-kit/runtime', 'node:assert/strict', 'node:test']),
  );
});
