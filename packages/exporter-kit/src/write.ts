import type { Stats } from 'node:fs';
import { lstatSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { displayText, StepforkError } from '@stepfork/trace-format';
import type { RenderedFile } from './exporter.js';

/**
 * Writes what an exporter rendered below `folder`, which is made where it is missing. All files are checked before
 * the first is written; each appears whole or not at all.
 *
 * @returns the paths written, absolute, in the order of `files`
 * @throws StepforkError `output_exists` (a file is there and `overwrite` is not set), `output_is_directory` (always),
 * `output_outside` (a path that leaves the folder), `output_unwritable`
 */
export function writeRendered(
  files: readonly RenderedFile[],
  folder: string,
  { overwrite = false }: { readonly overwrite?: boolean } = {},
): string[] {
  const root = resolve(folder);
  const targets = files.map(({ path, text }) => ({ file: inside(root, path), text }));
  for (const { file } of targets) refuseOccupied(file, overwrite);
  for (const { file, text } of targets) place(root, file, text);
  return targets.map(({ file }) => file);
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

function refuseOccupied(file: string, overwrite: boolean): void {
  const found = statOf(file);
  if (found?.isDirectory()) {
    throw new StepforkError(
      'output_is_directory',
      `${displayText(file)} is a folder: name the test file to write with --output`,
      { details: { path: file } },
    );
  }
  if (found !== null && !overwrite) {
    throw new StepforkError(
      'output_exists',
      `${displayText(file)} exists: pass --overwrite to replace it, or name another file with --output`,
      { details: { path: file } },
    );
  }
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
