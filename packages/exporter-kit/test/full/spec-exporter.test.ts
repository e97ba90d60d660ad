import { conformance } from '@stepfork/exporter-kit/conformance';
import { test } from 'vitest';
import { emptyProject, runVitest } from './project.js';
import exporter from './spec-exporter.js';

const checks = conformance(exporter, {
  target: { module: 'esm', typescript: true, globals: false },
  prepare: async () => {
    // A folder in which vitest and the packages of Stepfork are found.
    const folder = await emptyProject();
    return { folder, run: async (testFiles) => runVitest(folder, testFiles) };
  },
});

test.each(checks)('$name', ({ check }) => check(), 120_000);
