import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Names inside an example, and equally inside the copy of it that the demo plays in. */
export const FAILURE = 'traces/failure.sftrace';
export const FIXED = 'traces/fixed.sftrace';
export const AGENT = 'src/agent.ts';
const BUGGY_AGENT = 'src/agent.buggy.ts';

/** What a run of the example needs; its committed trace and tests are for the demo to make anew. */
const COPIED = ['src', 'expected.json', 'vitest.config.ts', 'jest.config.mjs'];

export const vitestTest = (name: string): string => `tests/vitest/${name}.test.ts`;
export const jestTest = (name: string): string => `tests/jest/${name}.test.ts`;

/**
 * A copy of the example as it was when it failed: `src/agent.ts` is the buggy agent. The copy lies inside the
 * example, so that packages resolve as they do for the example itself.
 */
export function stage(example: string): string {
  const copy = join(example, '.demo');
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy);
  for (const name of COPIED) cpSync(join(example, name), join(copy, name), { recursive: true });
  renameSync(join(copy, BUGGY_AGENT), join(copy, AGENT));
  return copy;
}

/** Makes what the demo just recorded and exported the example's own. */
export function keep(example: string): void {
  for (const name of [FAILURE, 'tests']) {
    rmSync(join(example, name), { recursive: true, force: true });
    cpSync(join(example, '.demo', name), join(example, name), { recursive: true });
  }
}
