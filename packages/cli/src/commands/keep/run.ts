import { readdirSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { displayText, isBundlePath, StepforkError } from '@stepfork/trace-format/write';
import { EXIT, type ExitCode } from '../../exit-code.js';
import type { Terminal } from '../../terminal.js';
import { leftoverOf } from '../../traces/aside.js';
import { glanceAt, isRun } from '../../traces/glance.js';
import { keep, keepNoLonger } from '../../traces/kept.js';

interface Given {
  readonly run: string;
  readonly undo: boolean | undefined;
}

export async function runKeep({ run: bundle, undo }: Given, terminal: Terminal): Promise<ExitCode> {
  const runId = runIdOf(bundle);
  const isNews = undo ? keepNoLonger(bundle, runId) : keep(bundle, runId);
  if (undo !== true && !(await isStillThere(bundle, runId))) {
    if (isNews) keepNoLonger(bundle, runId);
    throw new StepforkError(
      'no_such_run',
      `${bundle} was removed while it was to be kept. Run 'stepfork list' to see which runs are there.`,
      { details: { file: bundle } },
    );
  }
  const what = undo ? (isNews ? 'no longer kept' : 'was not kept') : isNews ? 'kept' : 'is kept already';
  terminal.result(displayText(`${what}: ${runId} (${relative('', bundle)})`));
  return EXIT.same;
}

/** How long a prune may take to see that it has taken away what is kept, and to put it back. */
const PUT_BACK_MS = 1000;

/** Looked at with the mark in place: a prune that took the bundle away before sees the mark, or has removed it. */
async function isStillThere(bundle: string, runId: string): Promise<boolean> {
  const [folder, name] = [dirname(bundle), basename(bundle)];
  for (const until = Date.now() + PUT_BACK_MS; ; await sleep(5)) {
    const glance = glanceAt(folder, name);
    if (isRun(glance) && glance.run_id === runId) return true;
    if (!isBeingPruned(folder, name) || Date.now() > until) return false;
  }
}

function isBeingPruned(folder: string, name: string): boolean {
  return readdirSync(folder).some((each) => {
    const leftover = leftoverOf(each);
    return leftover?.isWhole === true && leftover.name === name.slice(-200);
  });
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
