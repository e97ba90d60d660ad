import { compareRuns } from './behaviour.mjs';
import { findBundles } from './bundles.mjs';
import { annotation } from './commands.mjs';
import { findExportedTests } from './exported-tests.mjs';
import { runTests, testsOf } from './run-tests.mjs';
import { findStepfork } from './stepfork.mjs';
import { visible } from './text.mjs';

/** A replay for each failing test, up to here: what is wrong with hundreds of tests at once is one thing. */
const MOST_COMPARED = 25;

/**
 * All that the action does, but for telling it.
 *
 * @param {{ folder: string, patterns: readonly string[], command: string }} given
 */
export async function check({ folder, patterns, command }) {
  const stepfork = findStepfork(folder);
  if (stepfork === null) {
    return nothing('Stepfork is not installed here. Install it with the tests: npm install --save-dev @stepfork/cli');
  }
  const paths = findBundles(folder, patterns);
  if (paths.length === 0) {
    return nothing(`There is no bundle at ${visible(patterns.join(', '))}. Correct the input 'bundles'.`);
  }
  const bundles = [];
  for (const path of paths) bundles.push(await validate(stepfork, path));
  const invalid = bundles.filter(({ fault }) => fault !== null);

  const found = testsOf(command, findExportedTests(folder, paths));
  const run = found.length === 0 ? { exit: 0, results: new Map(), output: '' } : await runTests(folder, command, found);
  const tests = found.map((test) => ({ ...test, outcome: run.results?.get(test.path) ?? unknown(run) }));

  const broken = new Set(invalid.map(({ path }) => path));
  const comparable = tests.filter(({ outcome, bundle }) => outcome.state === 'failed' && !broken.has(bundle));
  for (const test of comparable.slice(0, MOST_COMPARED)) test.behaviour = await compareRuns(stepfork, test);

  const problems = [
    ...invalid.map(({ path, fault }) => annotation(path, `not a valid bundle: ${fault}`)),
    ...tests
      .filter(({ outcome }) => outcome.state === 'failed')
      .map(({ path, outcome }) => annotation(path, outcome.failures[0]?.text ?? 'the test failed')),
  ];
  return { bundles, tests, run, problems, exit: run.exit === 0 && invalid.length > 0 ? 1 : run.exit };
}

const nothing = (problem) => ({ bundles: [], tests: [], run: null, problems: [problem], exit: 1 });

/** The command does not say of which file it speaks, or the runner does not take this file for a test. */
const unknown = ({ results }) => ({ state: results === null ? 'unknown' : 'not run', failures: [] });

/** What is wrong with a bundle; one from before there were digests is no fault. */
async function validate(stepfork, path) {
  const { exit, stdout, stderr } = await stepfork(['validate', path, '--verify-integrity', '--json']);
  if (exit === 0) return { path, fault: null, digests: true };
  if (exit === 3) return { path, fault: null, digests: false };
  return { path, fault: firstIssue(stdout) ?? (stderr.trim() || `stepfork ended with ${exit}`), digests: true };
}

function firstIssue(text) {
  try {
    const { issues = [], message } = JSON.parse(text);
    return issues[0]?.message ?? message ?? null;
  } catch {
    return null;
  }
}
