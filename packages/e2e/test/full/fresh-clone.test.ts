import { cpSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../src/run.js';
import { testFolder } from '../../src/test-folder.js';
import { ROOT } from '../../src/workspace.js';

const MADE = new Set(['.git', 'node_modules', 'dist', '.turbo', '.stepfork', '.demo', 'coverage']);

/** What a new machine has after a clone: the written files, in a path with a space, and an empty home. */
function freshClone(): { readonly cwd: string; readonly env: Record<string, string> } {
  const folder = testFolder('fresh clone');
  const home = join(folder, 'home');
  mkdirSync(home);
  const cwd = join(folder, 'step fork');
  cpSync(ROOT, cwd, { recursive: true, filter: (path) => !MADE.has(basename(path)) });
  return { cwd, env: { HOME: home, USERPROFILE: home } };
}

test('npm run demo suffices alone', { timeout: 600_000 }, async () => {
  const { cwd, env } = freshClone();
  const demo = await run('npm', ['run', 'demo'], { cwd, env, timeout: 590_000 });
  expect(demo.exit, demo.output).toBe(0);
  expect(demo.output).toContain("behavior mismatch at 'should_notify': expected true, got false");
  expect(demo.output).toContain('not regenerated, passed once the agent was fixed');
});

test('npm test suffices alone', { timeout: 1_200_000 }, async () => {
  const { cwd, env } = freshClone();
  const done = await run('npm', ['test'], { cwd, env: { ...env, STEPFORK_FULL: '' }, timeout: 1_190_000 });
  expect(done.exit, done.output).toBe(0);
  expect(done.stdout.trimEnd().split('\n').at(-1)).toMatch(/^\d+ passed, 0 failed$/);
});
