import { defaultExclude, defineConfig } from 'vitest/config';

const full = process.env.STEPFORK_FULL === '1';

// No alias here: `@stepfork/*` resolves through node_modules to what was built.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Whole installs of the repository take many minutes.
    exclude: full ? defaultExclude : [...defaultExclude, 'test/full/**'],
    globalSetup: ['src/global-setup.ts'],
    // Every test starts processes of its own, and waits for them; the machine may have two cores.
    maxWorkers: 3,
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});
