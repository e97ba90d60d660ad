import { basename, dirname, relative, resolve } from 'node:path';
import { jsonSource, type RecordedRun, recordedRun, writeRendered } from '@stepfork/exporter-kit';
import { displayText, findUnservable, type Json, loadTrace, StepforkError } from '@stepfork/trace-format';
import { EXIT, type ExitCode } from '../../exit-code.js';
import type { Terminal } from '../../terminal.js';

interface Given {
  readonly bundle: string;
  readonly output: string;
  readonly overwrite: boolean | undefined;
}

/** A draft: what the agent returned, for a person to make of it what it should have returned. */
export async function runExpect({ bundle, output, overwrite }: Given, terminal: Terminal): Promise<ExitCode> {
  const recorded = outputOf(recordedRun(loadTrace(bundle)), bundle);
  const text = jsonSource(recorded);
  const place = resolve(output);
  const files = writeRendered([{ path: basename(place), text }], dirname(place), { overwrite });
  for (const { path, written } of files) {
    terminal.result(`${written ? 'wrote' : 'unchanged:'} ${displayText(relative('', path))}`);
  }
  const file = displayText(output);
  terminal.result(
    `it holds what was recorded: edit it to what the agent should have returned, and export with --expect-output ${file}`,
  );
  const path = findUnservable(recorded);
  if (path !== null) {
    terminal.message(
      `stepfork: at ${displayText(path)} stands a placeholder for what could not be recorded: take it out, and export with --expect-match ${file}`,
    );
  }
  return EXIT.same;
}

function outputOf({ recordedEnd, recordedOutput, recordedFailure }: RecordedRun, bundle: string): Json {
  if (recordedEnd === 'returned') return recordedOutput;
  const why = recordedFailure === null ? 'did not end' : `failed with ${recordedFailure.type}`;
  throw new StepforkError(
    'no_recorded_output',
    `the run in '${bundle}' ${displayText(why)}, so that there is no output to edit. Write a file with what it should have returned, or export with --expect-error.`,
    { details: { file: bundle } },
  );
}
