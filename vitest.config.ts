import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

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
    include: ['packages/*/{src,test}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', 'packages/e2e/**'],
    testTimeout: 30_000,
    // Many tests wait, for timers or for processes of their own, and leave their core to others.
    maxWorkers: Math.max(3, availableParallelism()),
  },
});
