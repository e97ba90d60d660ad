import { linkSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { newRunId } from '@stepfork/trace-format/write';
import { isSystemError } from '../../exit-code.js';
import { isAlive } from '../../process-alive.js';
import { isAside, leftoverOf, withoutSuffix } from '../../traces/aside.js';
import { glanceAt, isRun } from '../../traces/glance.js';
import { keptRuns } from '../../traces/kept.js';

/** What came of a bundle that was to be removed. */
export type Removal =
  | { readonly kind: 'removed' }
  /** Somebody else was quicker. */
  | { readonly kind: 'gone' }
  /** Somebody keeps it since it was looked at. */
  | { readonly kind: 'kept' }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Removes a bundle, which is renamed first: it is there whole or it is gone, at whatever point the process dies. Whether
 * the run is kept is asked once it is out of reach: whoever marks it later finds no bundle.
 */
export function removeBundle(path: string): Removal {
  return removeAs(path, basename(path));
}

/** Removes what pruning left behind when its process was killed. What was marked in the meantime is put back. */
export function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder).filter(isAside)) {
    const path = join(folder, name);
    const leftover = leftoverOf(name);
    if (leftover === null || isLink(path) || (leftover.pid !== null && isAlive(leftover.pid))) continue;
    if (leftover.isWhole) removeAs(path, leftover.name);
    else rmSync(path, { recursive: true, force: true });
  }
}

function removeAs(path: string, name: string): Removal {
  const folder = dirname(path);
  const own = `.${name.slice(-200)}.${newRunId().slice(4, 12)}.${process.pid}`;
  const [aside, doomed] = [join(folder, `${own}.pruned`), join(folder, `${own}.removed`)];
  try {
    renameSync(path, aside);
    if (isKept(aside)) {
      putBack(aside, join(folder, name));
      return { kind: 'kept' };
    }
    // What dies from here on leaves a bundle that nobody could put back whole.
    renameSync(aside, doomed);
    rmSync(doomed, { recursive: true, force: true });
    return { kind: 'removed' };
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT' && !isThere(path)) return { kind: 'gone' };
    return { kind: 'failed', reason: (error as Error).message };
  }
}

function isKept(path: string): boolean {
  const glance = glanceAt(dirname(path), basename(path));
  return isRun(glance) && keptRuns(dirname(path))(glance.run_id);
}

/** To where it was, or beside what came there in the meantime. */
function putBack(aside: string, path: string): void {
  try {
    move(aside, path);
  } catch {
    move(aside, `${withoutSuffix(path)}.${newRunId().slice(4, 12)}.sftrace`);
  }
}

/** Never over anything: a folder is not renamed onto one that holds files, and a file is linked. */
function move(from: string, to: string): void {
  if (lstatSync(from).isDirectory()) {
    renameSync(from, to);
    return;
  }
  linkSync(from, to);
  rmSync(from);
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
