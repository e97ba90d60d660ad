// Validates recordings, runs the tests that were exported from them, and writes the job's summary:
//   INPUT_BUNDLES='**/__traces__/*.sftrace' INPUT_COMMAND='npx vitest run' node src/main.mjs
// Runs in the folder of the project. Without GITHUB_STEP_SUMMARY the summary goes to stdout.
import { appendFileSync } from 'node:fs';
import { check } from './check.mjs';
import { withoutCommands } from './commands.mjs';
import { renderSummary } from './summary.mjs';

const { INPUT_BUNDLES, INPUT_COMMAND, GITHUB_STEP_SUMMARY } = process.env;
const given = {
  folder: process.cwd(),
  patterns: (INPUT_BUNDLES || '**/__traces__/*.sftrace')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean),
  command: INPUT_COMMAND || 'npx vitest run',
};

const done = await withoutCommands(() => check(given));
const summary = renderSummary(done);
if (GITHUB_STEP_SUMMARY) appendFileSync(GITHUB_STEP_SUMMARY, summary);
else process.stdout.write(summary);
for (const line of done.problems) process.stdout.write(`${line}\n`);
process.exitCode = done.exit;
