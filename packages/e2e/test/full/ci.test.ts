import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, inject, test } from 'vitest';
import { type Block, blocks, section } from '../../src/markdown.js';
import { type Run, type RunOptions, shell } from '../../src/run.js';
import { readPage } from '../../src/site.js';
import { testFolder } from '../../src/test-folder.js';
import { follow } from '../../src/walkthrough.js';
import { ROOT } from '../../src/workspace.js';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const CI = readPage('ci.md');

function blocksOf(page: string, heading: string): readonly Block[] {
  const { text, line } = section(page, heading);
  return blocks(text, line);
}

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
}

/** The commands of a workflow, in their order. */
const stepsOf = (text: string): readonly string[] =>
  Object.values((load(text) as Workflow).jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));

/** What the page has instead of `npm ci`, for a registry that lacks an optional package of some tool. */
const INSTEAD = 'npm install --no-save';

/** A step of a workflow, by whatever of the two ways the page names for this registry. */
async function take(step: string, options: RunOptions): Promise<Run> {
  const done = await shell(step, options);
  const refused = step === 'npm ci' && /Missing: \S+ from lock file/.test(done.output);
  return refused ? shell(INSTEAD, options) : done;
}

test('the recipes for CI do what they say in the project of the README', { timeout: 600_000 }, async () => {
  const folder = testFolder('ci');
  const env = inject('npmEnvironment');
  await follow(blocksOf(README, 'Five-minute quickstart'), folder, env);

  const workflow = blocksOf(CI, 'GitHub Actions').find(({ language }) => language === 'yaml');
  const steps = stepsOf(workflow?.text ?? '');
  expect(steps[0]).toBe('npm ci');
  expect(CI).toContain(`let the step be \`${INSTEAD}\``);
  rmSync(join(folder, 'node_modules'), { recursive: true });
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  for (const step of steps) {
    const { exit, output } = await take(step, { cwd: folder, env });
    expect(exit, output).toBe(0);
  }
  expect(readFileSync(join(folder, 'package-lock.json'), 'utf8')).toBe(lock);
  const report = readFileSync(join(folder, 'reports/junit.xml'), 'utf8');
  expect(report).toContain('makes the recorded calls');
  expect(report).toContain('returns the corrected output');

  await follow(blocksOf(CI, 'Check what is committed'), folder, env);
  await follow(blocksOf(CI, 'When a test is red'), folder, env);
  expect(existsSync(join(folder, 'reports/replayed.packed.sftrace'))).toBe(true);

  await follow(blocksOf(README, 'With jest'), folder, env);
  const [, ...jest] = blocksOf(CI, 'JUnit');
  await follow(jest, folder, env);
  expect(readFileSync(join(folder, 'reports/junit.xml'), 'utf8')).toContain('jest tests');
});
