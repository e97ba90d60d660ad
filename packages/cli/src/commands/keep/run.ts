import { basename, dirname, relative } from 'node:path';
import { displayText, isBundlePath, StepforkError } from '@stepfork/trace-format/write';
import { EXIT, type ExitCode } from '../../exit-code.js';
import type { Terminal } from '../../terminal.js';
import { glanceAt, isRun } from '../../traces/glance.js';
import { keep, keepNoLonger } from '../../traces/kept.js';

interface Given {
  readonly run: string;
  readonly undo: boolean | undefined;
}

export async function runKeep({ run: bundle, undo }: Given, terminal: Terminal): Promise<ExitCode> {
  const runId = runIdOf(bundle);
  const isNews = undo ? keepNoLonger(bundle, runId) : keep(bundle, runId);
  const what = undo ? (isNews ? 'no longer kept' : 'was not kept') : isNews ? 'kept' : 'is kept already';
  terminal.result(displayText(`${what}: ${runId} (${relative('', bundle)})`));
  return EXIT.same;
}

function runIdOf(bundle: string): string {
  if (!isBundlePath(bundle)) throw unreadable(bundle, 'not_a_bundle', `its name does not end in '.sftrace'`);
  const glance = glanceAt(dirname(bundle), basename(bundle));
  if (isRun(glance)) return glance.run_id;
  throw unreadable(bundle, 'invalid_manifest', glance.reason);
}

const unreadable = (bundle: string, code: string, reason: string): StepforkError =>
  new StepforkError(code, `${bundle} shows no run: ${reason}. Give the bundle of the run, or its id.`, {
    details: { file: bundle },
  });
