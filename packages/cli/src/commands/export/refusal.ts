import { resolve } from 'node:path';
import { expectedEnd, expectsRecorded, type RegressionCase } from '@stepfork/exporter-kit';
import { displayText, findUnservable, isStepforkError, StepforkError } from '@stepfork/trace-format';
import type { Terminal } from '../../terminal.js';

/**
 * Refuses an expectation that is what was recorded: `expectation_unchanged`. It is a draft that nobody edited, or the
 * wrong file; the test would be green on the agent that failed.
 */
export function requireEdited(regression: RegressionCase, file: string | undefined): void {
  if (regression.same === true || !expectsRecorded(regression)) return;
  throw new StepforkError(
    'expectation_unchanged',
    `what '${file ?? ''}' expects is what was recorded, so that the test would tell nothing of the failure. Edit the file to what is right, or pass --expect-same as well if that was.`,
    { details: { file } },
  );
}

/**
 * Refuses an expectation that holds a placeholder: `bad_expectation`. It stands for what could not be recorded, so that the
 * test would take any such value for right.
 */
export function requireData(regression: RegressionCase): void {
  const end = expectedEnd(regression);
  if (!('value' in end)) return;
  const path = findUnservable(end.value);
  if (path === null) return;
  const place = displayText(path);
  const what = end.kind === 'recorded-output' ? 'what was recorded of the output' : 'the expected output';
  throw new StepforkError(
    'bad_expectation',
    `${what} holds a placeholder at ${place}, for what could not be recorded: no test can hold the agent to it. Have the agent return data, or state with --expect-match what else is right.`,
    { details: { path } },
  );
}

/** Refuses `-`, by which other programs mean stdout: a test is more than one file. */
export function requireFile(output: string | undefined): void {
  if (output !== '-') return;
  throw new StepforkError(
    'usage',
    "'--output -' names no file: a test and its recording are files. Name the test file, or ./- for one of that name.",
  );
}

/** What a test is made of, as far as it lies in files of its own. */
interface Sources {
  readonly entrypointFile: string;
  readonly expectOutput: string | undefined;
  readonly expectMatch: string | undefined;
  readonly expectTrajectory: string | undefined;
}

/** Refuses to write the test over what it is made of, whatever may be overwritten: `usage`. */
export function requireOwnPlace(testFile: string, sources: Sources): void {
  const { entrypointFile, expectOutput, expectMatch, expectTrajectory } = sources;
  const made = [entrypointFile, expectOutput, expectMatch, expectTrajectory].filter((file) => file !== undefined);
  const taken = made.find((file) => resolve(file) === testFile);
  if (taken === undefined) return;
  throw new StepforkError(
    'usage',
    `the test is made of '${displayText(taken)}' and cannot be written over it. Name another file with --output.`,
    { details: { file: taken } },
  );
}

/** Does `check`; of a file that somebody may have edited it shows what writing it would have changed. */
export function showingDiff(terminal: Terminal, check: () => void): void {
  try {
    check();
  } catch (error) {
    const diff = isStepforkError(error, 'output_exists') ? error.details.diff : undefined;
    if (typeof diff === 'string') terminal.result(diff);
    throw error;
  }
}
