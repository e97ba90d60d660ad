import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Of a whole process: its memory, and the clock that it began with. */
const ALONE = ['packages/trace-format/test/size/**/*.test.ts', 'packages/replay/test/clock/fake-timers.test.ts'];
const FULL = process.env.STEPFORK_FULL === '1';
/** Matrices that take minutes lie in folders named `full`. */
const OUTSIDE = ['**/node_modules/**', '**/dist/**', 'packages/e2e/**', ...(FULL ? [] : ['packages/*/test/full/**'])];

// Packages resolve to their sources: no build between an edit and its test.
export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^@stepfork\/(?!cli)([a-z-]+)$/,
        replacement: `${fileURLToPath(new URL('./packages', import.meta.url))}/$1/src/index.ts`,
      },
      {
        find: /^@stepfork\/([a-z-]+)\/(?!package\.json)([a-z-]+)$/,
        replacement: `${fileURLToPath(new URL('./packages', import.meta.url))}/$1/src/$2.ts`,
      },
    ],
  },
  test: {
    // Ends what hangs. The large counts may take minutes, on a slow machine many.
    testTimeout: FULL ? 1_800_000 : 60_000,
    hookTimeout: 120_000,
    // Many tests wait, for timers or for processes of their own, and leave their core to others.
    maxWorkers: Math.max(4, availableParallelism()),
    // Nothing lies outside the functions of a package, so test files share the modules that they load.
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['packages/*/{src,test}/**/*.test.ts'],
          exclude: [...OUTSIDE, ...ALONE],
          isolate: false,
          setupFiles: ['packages/recorder/test/support/forget-warnings.ts'],
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, exclude: OUTSIDE } },
    ],
  },
});
