import type { Stats } from 'node:fs';
import { copyFileSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { displayText, packBundle, StepforkError } from '@stepfork/trace-format';
import { traceDigest } from '../project/trace-digest.js';
import type { WriteOptions, WrittenFile } from '../write.js';

/** A recording that a test keeps for itself. */
export interface TraceCopy {
  /** A bundle, be it a folder or packed. */
  readonly from: string;
  /** The packed file to write. */
  readonly to: string;
}

/**
 * Copies a recording to where a test keeps it, packed into one file: what a review shows, git stores and a formatter
 * leaves alone. One that holds the same already is left alone.
 *
 * @throws StepforkError as `checkTrace`; `output_unwritable`, and as `packBundle`
 */
export function keepTrace({ from, to }: TraceCopy, options: WriteOptions = {}): WrittenFile {
  const path = resolve(to);
  if (holdsAlready({ from, to: path }, options)) return { path, written: false };
  // `packBundle` wants a name that says what it is, and a place where nothing lies.
  const fresh = join(dirname(path), `.${process.pid}.${basename(path)}`);
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (lstatSync(from).isDirectory()) packBundle(from, fresh);
    else copyFileSync(from, fresh);
    renameSync(fresh, path);
  } catch (cause) {
    discard(fresh);
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (syscall === undefined) throw cause;
    throw new StepforkError(
      'output_unwritable',
      `${displayText(path)} could not be written (${code}): check that its folder exists and may be written to`,
      { details: { path }, cause },
    );
  }
  return { path, written: true };
}

/**
 * Says before the work is done what `keepTrace` would refuse.
 *
 * @throws StepforkError `output_exists`: another recording is there, or something else, and `overwrite` is not set;
 * `output_is_directory`
 */
export function checkTrace(copy: TraceCopy, options: WriteOptions = {}): void {
  holdsAlready(copy, options);
}

/** Whether the recording lies there; throws where something else does that may not be replaced. */
function holdsAlready({ from, to }: TraceCopy, { overwrite = false }: WriteOptions): boolean {
  const found = statOf(to);
  if (found === null) return false;
  if (realpathSync(from) === realpathIfAny(to) || traceDigest(from) === traceDigest(to)) return true;
  if (found.isDirectory()) {
    throw new StepforkError(
      'output_is_directory',
      `${displayText(to)} is a folder with another recording: name another place with --trace-dir, or link to the recording with --no-copy`,
      { details: { path: to } },
    );
  }
  if (overwrite) return false;
  throw new StepforkError(
    'output_exists',
    `${displayText(to)} is another recording: pass --overwrite to replace it, or name another place with --trace-dir`,
    { details: { path: to } },
  );
}

/** What stands there, a link itself and not what it points to; null for nothing. */
function statOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

function discard(temporary: string): void {
  try {
    rmSync(temporary, { force: true });
  } catch {
    // What kept the file from being written keeps it from being there.
  }
}

/** A link may lead nowhere. */
function realpathIfAny(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
