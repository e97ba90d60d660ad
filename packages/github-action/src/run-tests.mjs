import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Of what a command printed, for a runner that is not known. */
const TAIL = 8_192;

/** How each runner is told which files to run, and to write what came of them; the form of that is jest's. */
const RUNNERS = {
  vitest: (results, files) => ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`, ...files],
  jest: (results, files) => ['--json', `--outputFile=${results}`, '--runTestsByPath', ...files],
};

/**
 * The tests that a command runs: one exported for vitest is none of jest's.
 *
 * @template {{ exporter: string }} T
 * @param {string} command
 * @param {readonly T[]} tests
 */
export function testsOf(command, tests) {
  const runner = runnerOf(command);
  return runner === undefined
    ? tests
    : tests.filter(({ exporter }) => exporter === runner || !Object.hasOwn(RUNNERS, exporter));
}

const runnerOf = (command) => Object.keys(RUNNERS).find((name) => new RegExp(`\\b${name}\\b`).test(command));

/**
 * Runs the tests with the command of the project.
 *
 * @param {string} folder
 * @param {string} command for a shell
 * @param {readonly { path: string }[]} tests
 * @returns {Promise<{ exit: number, output: string, results: Map<string, object> | null }>} `results` by file; null where
 * the runner is not known
 */
export async function runTests(folder, command, tests) {
  const runner = runnerOf(command);
  const temporary = mkdtempSync(join(tmpdir(), 'stepfork-action-'));
  try {
    const file = join(temporary, 'results.json');
    const args =
      runner === undefined
        ? []
        : RUNNERS[runner](
            file,
            tests.map(({ path }) => path),
          );
    const { exit, output } = await runShell(folder, command, args);
    return { exit, output, results: runner === undefined ? null : resultsOf(folder, file) };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** The arguments are no part of the shell's text, so the name of a file is never more than a name. */
function runShell(cwd, command, args) {
  const text = args.length === 0 ? command : `${command} "$@"`;
  const child = spawn('sh', ['-c', text, 'sh', ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  // All to one stream: what switches GitHub's commands on again must not overtake what was printed before it.
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      process.stdout.write(chunk);
      output = (output + chunk).slice(-TAIL);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve({ exit: exit ?? 1, output: stripVTControlCharacters(output) }));
  });
}

/** A runner that failed before it ran a test wrote nothing. */
function resultsOf(folder, file) {
  try {
    const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
    return new Map(
      testResults.map((result) => [relative(folder, result.name).split(sep).join('/'), outcomeOf(result)]),
    );
  } catch {
    return new Map();
  }
}

function outcomeOf({ status, message, assertionResults }) {
  if (status !== 'failed') return { state: 'passed', failures: [] };
  const failures = assertionResults
    .filter((each) => each.status === 'failed')
    .map(({ fullName, failureMessages }) => ({ name: fullName, text: saidBy(failureMessages.join('\n')) }));
  return { state: 'failed', failures: failures.length > 0 ? failures : [{ name: '', text: saidBy(message ?? '') }] };
}

/** Without colour, and without the stack: it leads into the matcher. */
function saidBy(text) {
  return stripVTControlCharacters(text)
    .replace(/\n\s+at [\s\S]*$/, '')
    .trim();
}
