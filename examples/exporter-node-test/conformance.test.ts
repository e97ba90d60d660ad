import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { after, test } from 'node:test';
import { conformance, type TestOutcome } from '@stepfork/exporter-kit/conformance';
import exporter from './exporter.js';

/** Inside this package, so that what it has installed is found. */
const folder = await mkdtemp(`${import.meta.dirname}/.conformance-`);
after(() => rm(folder, { recursive: true }));

/** Node runs each test file in a process of its own, and exits with 1 where one of its tests fails. */
function outcomeOf(file: string): Promise<TestOutcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [file], { cwd: folder }, (error, stdout, stderr) => {
      resolve({ passed: error === null, output: stdout + stderr });
    });
  });
}

const checks = conformance(exporter, {
  target: { module: 'esm', typescript: false, globals: false },
  prepare: async () => ({
    folder,
    run: async (files) =>
      Object.fromEntries(await Promise.all(files.map(async (file) => [file, await outcomeOf(file)]))),
  }),
});

for (const { name, check } of checks) test(name, { timeout: 120_000 }, check);
