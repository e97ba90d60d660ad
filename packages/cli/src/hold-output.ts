import { linkSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { hashJson, StepforkError } from '@stepfork/trace-format/write';
import { isSystemError } from './exit-code.js';
import { isAlive } from './process-alive.js';

/**
 * Keeps a place for a bundle that is written only when a run ends, which may be hours from now: whoever comes second is
 * told so at once, and not when the run is over and its place is taken.
 *
 * @returns gives the place free
 * @throws StepforkError `output_busy`: another process of this program has it
 */
export function holdOutput(output: string): () => void {
  const file = join(tmpdir(), `stepfork-${digestOf(output)}.pid`);
  if (!take(file)) {
    const pid = holderOf(file);
    if (pid !== null) throw busy(output, pid);
    // Left behind by one that was killed.
    rmSync(file, { force: true });
    if (!take(file)) throw busy(output, holderOf(file));
  }
  const release = (): void => rmSync(file, { force: true });
  process.once('exit', release);
  return () => {
    process.off('exit', release);
    release();
  };
}

/** One place has one name, by whatever path it is reached. */
function digestOf(output: string): string {
  const path = resolve(output);
  return hashJson(join(folderOf(path), basename(path))).slice(0, 32);
}

function folderOf(path: string): string {
  const folder = dirname(path);
  try {
    return realpathSync(folder);
  } catch {
    // It is not there yet.
    return folder;
  }
}

/** Whether it is ours now. What cannot be written at all keeps nobody from recording. */
function take(file: string): boolean {
  const written = `${file}.${process.pid}`;
  try {
    // It is there with its text, or it is not there.
    writeFileSync(written, String(process.pid), { mode: 0o600 });
    linkSync(written, file);
    return true;
  } catch (error) {
    return !(isSystemError(error) && error.code === 'EEXIST');
  } finally {
    rmSync(written, { force: true });
  }
}

/** The process that has it; null where that is gone. */
function holderOf(file: string): number | null {
  const pid = pidIn(file);
  return pid !== null && isAlive(pid) ? pid : null;
}

function pidIn(file: string): number | null {
  try {
    const text = readFileSync(file, 'utf8');
    return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
}

function busy(output: string, pid: number | null): StepforkError {
  const who = pid === null ? 'another process' : `process ${pid}`;
  return new StepforkError(
    'output_busy',
    `${output} is what ${who} of Stepfork records to; wait until that has ended, or name another place`,
    { details: { file: output } },
  );
}
