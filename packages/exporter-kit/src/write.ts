import type { Stats } from 'node:fs';
import { lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { displayText, StepforkError } from '@stepfork/trace-format';
import type { RenderedFile } from './exporter.js';
import { lineDiff } from './write/line-diff.js';

export interface WriteOptions {
  /** Whether a file that says something else is replaced. Default: false, somebody may have edited it. */
  readonly overwrite?: boolean | undefined;
}

/** What came of a file. */
export interface WrittenFile {
  /** Absolute. */
  readonly path: string;
  /** False where the file was there and is just what would have been written. */
  readonly written: boolean;
}

/**
 * Writes what an exporter rendered below `folder`, which is made where it is missing. All files are checked before
 * the first is written; each appears whole or not at all. What is there already, to the byte, is left alone.
 *
 * @returns the files in the order of `files`
 * @throws StepforkError as `checkRendered`; `output_unwritable`
 */
export function writeRendered(
  files: readonly RenderedFile[],
  folder: string,
  options: WriteOptions = {},
): readonly WrittenFile[] {
  const root = resolve(folder);
  const targets = checkTargets(files, root, options);
  for (const { file, text, written } of targets) if (written) place(root, file, text);
  return targets.map(({ file, written }) => ({ path: file, written }));
}

/**
 * Says before the work is done what `writeRendered` would refuse.
 *
 * @throws StepforkError `output_exists` (another file is there and `overwrite` is not set; `details.diff` is what
 * writing would change), `output_is_directory` (always), `output_outside` (a path that leaves the folder)
 */
export function checkRendered(files: readonly RenderedFile[], folder: string, options: WriteOptions = {}): void {
  checkTargets(files, resolve(folder), options);
}

interface Target {
  readonly file: string;
  readonly text: string;
  readonly written: boolean;
}

function checkTargets(
  files: readonly RenderedFile[],
  root: string,
  { overwrite = false }: WriteOptions,
): readonly Target[] {
  const targets = files.map(({ path, text }) => ({ file: inside(root, path), text }));
  return targets.map(({ file, text }) => {
    const found = statOf(file);
    if (found?.isDirectory() === true) throw isFolder(file);
    // A link is something that lies there, wherever it leads.
    const present = found?.isFile() === true ? readFileSync(file, 'utf8') : null;
    if (found !== null && present !== text && !overwrite) throw isTaken(file, present, text);
    return { file, text, written: present !== text };
  });
}

/** A rendered path is a plugin's word: it stays in the folder, by its text and by every link on its way. */
function inside(root: string, path: string): string {
  const file = resolve(root, path);
  const leaves = relative(root, file);
  const plain = path !== '' && !path.includes('\0') && !isAbsolute(path) && !path.endsWith('/');
  if (!plain || leaves === '' || leaves === '..' || leaves.startsWith(`..${sep}`) || isAbsolute(leaves)) {
    throw outside(path, root);
  }
  const parent = nearestExisting(dirname(file));
  const realRoot = nearestExisting(root);
  if (parent !== realRoot && !parent.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep)) {
    throw outside(path, root);
  }
  return file;
}

/** The real path of `folder`, or of the nearest folder above it that exists. */
function nearestExisting(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return dirname(folder) === folder ? folder : nearestExisting(dirname(folder));
  }
}

function isFolder(file: string): StepforkError {
  return new StepforkError(
    'output_is_directory',
    `${displayText(file)} is a folder: name the file to write with --output`,
    { details: { path: file } },
  );
}

function isTaken(file: string, present: string | null, text: string): StepforkError {
  return new StepforkError(
    'output_exists',
    `${displayText(file)} exists and says something else: pass --overwrite to replace it, or name another file with --output`,
    { details: { path: file, ...(present === null ? {} : { diff: lineDiff(present, text) }) } },
  );
}

/** What stands there, a link itself and not what it points to; null for nothing. */
function statOf(file: string): Stats | null {
  try {
    return lstatSync(file);
  } catch {
    return null;
  }
}

/** Beside the target first, then renamed onto it: a reader never sees half a test. */
function place(root: string, file: string, text: string): void {
  const temporary = join(dirname(file), `.${basename(file).slice(0, 80)}.${process.pid}.tmp`);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(temporary, text, { flag: 'wx' });
    renameSync(temporary, file);
  } catch (cause) {
    discard(temporary);
    const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new StepforkError(
      'output_unwritable',
      `${displayText(file)} could not be written (${why}): check that its folder exists and may be written to`,
      { details: { path: file, folder: root }, cause },
    );
  }
}

function discard(temporary: string): void {
  try {
    rmSync(temporary, { force: true });
  } catch {
    // What kept the file from being written keeps it from being there.
  }
}

function outside(path: string, root: string): StepforkError {
  return new StepforkError(
    'output_outside',
    `the exporter wants to write ${displayText(path)}, which is not inside ${displayText(root)}: nothing was written`,
    { details: { path, folder: root } },
  );
}
