import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const PURE = 'trace-format|redact|diff|exporter-*|adapter-*|register|cli';
/** Holds a whole process to its memory. */
const MEASURED = 'packages/trace-format/test/size/**/*.test.ts';
const FULL = process.env.STEPFORK_FULL === '1';
/** Matrices that take minutes lie in folders named `full`. */
const OUTSIDE = ['**/node_modules/**', '**/dist/**', 'packages/e2e/**', ...(FULL ? [] : ['packages/*/test/full/**'])];

function testsOf(packages: string): string[] {
  return [`packages/${packages}/{src,test}/**/*.test.ts`];
}

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
    projects: [
      {
        extends: true,
        // Nothing of these lies outside their functions, so their files share the modules that they load.
        test: { name: 'pure', include: testsOf(`@(${PURE})`), exclude: [...OUTSIDE, MEASURED], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'rest',
          include: [...testsOf(`!(${PURE})`), MEASURED],
          exclude: OUTSIDE,
        },
      },
    ],
  },
});
