import { readdirSync, renameSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StepforkError } from '../errors.js';
import { kindAt, onFile, removeDirectory } from './files.js';
import { asidePathFor, asidesOf, REQUIRED_FILES } from './layout.js';

/**
 * Refuses a place at which a bundle must not be written: `output_exists`. An empty directory is as good as none;
 * with `overwrite`, a bundle may be replaced, and nothing but a bundle.
 */
export function checkTarget(path: string, overwrite: boolean): void {
  const kind = kindAt(path);
  if (kind === 'nothing') return;
  if (kind !== 'directory') throw exists(path, 'is not a directory');
  if (isEmpty(path)) return;
  if (!overwrite) throw exists(path, 'exists already; pass overwrite to replace it');
  if (!REQUIRED_FILES.every((name) => kindAt(join(path, name)) === 'file')) {
    throw exists(path, 'is not a trace bundle, so that it will not be overwritten');
  }
}

/** Whether finishing a bundle there would replace another. */
export function replacesBundle(path: string): boolean {
  return kindAt(path) === 'directory' && !isEmpty(path);
}

/** Refuses a place at which something lies: `output_exists`. */
export function requireFree(path: string): void {
  if (kindAt(path) !== 'nothing') throw exists(path, 'exists already; delete it, or name another place');
}

/**
 * Puts a finished bundle into its place by renaming. A bundle that is replaced waits aside in between, and is put
 * back when the second rename fails.
 */
export function publish(workPath: string, path: string, runId: string, overwrite: boolean): void {
  checkTarget(path, overwrite);
  const aside = kindAt(path) === 'directory' ? setAside(path, runId) : null;
  try {
    onFile(path, 'renaming the finished bundle', () => renameSync(workPath, path));
  } catch (error) {
    if (aside !== null) onFile(path, 'putting the old bundle back', () => renameSync(aside, path));
    throw error;
  }
  if (aside !== null) removeAsides(path);
}

/**
 * Removes replaced bundles of this path: that of the swap just made, and those of processes that died right after
 * theirs. One whose successor is not in place yet stays.
 */
export function removeAsides(path: string): void {
  for (const aside of asidesOf(path, readdirSync(dirname(path)))) {
    if (kindAt(aside.workPath) === 'nothing') removeDirectory(aside.path);
  }
}

/** @returns where the old bundle waits, or null when there was only an empty directory */
function setAside(path: string, runId: string): string | null {
  if (isEmpty(path)) {
    onFile(path, 'removing the empty directory', () => rmdirSync(path));
    return null;
  }
  const aside = asidePathFor(path, runId);
  removeDirectory(aside);
  onFile(path, 'moving the old bundle aside', () => renameSync(path, aside));
  return aside;
}

function isEmpty(folder: string): boolean {
  return readdirSync(folder).length === 0;
}

function exists(path: string, why: string): StepforkError {
  return new StepforkError('output_exists', `${path} ${why}`, { details: { file: path } });
}
