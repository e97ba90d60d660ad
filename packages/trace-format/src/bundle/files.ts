import {
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StepforkError } from '../errors.js';

/** Recordings hold what an agent saw: for their owner only. */
const DIRECTORY_MODE = 0o700;
export const FILE_MODE = 0o600;

/** Runs a file operation; a failure of the system becomes one line that names the file. */
export function onFile<T>(path: string, doing: string, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    const code = String((error as { code?: unknown }).code ?? (error as Error).message);
    throw new StepforkError('write_failed', `${path}: ${doing} failed (${code})`, {
      details: { file: path, errno: code },
      cause: error,
    });
  }
}

/** Runs a read operation; a failure of the system becomes one line that names the file. */
export function reading<T>(path: string, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    const errno = (error as { errno?: unknown }).errno;
    if (typeof errno !== 'number') throw error;
    const code = String((error as { code?: unknown }).code);
    throw new StepforkError(code === 'ENOENT' ? 'missing_file' : 'read_failed', `${path}: cannot be read (${code})`, {
      details: { file: path, errno: code },
      cause: error,
    });
  }
}

/** Makes a directory and what it lies in. A `.stepfork` made on the way is kept out of git. */
export function makeDirectories(path: string): void {
  if (existsSync(path)) return;
  makeDirectories(dirname(path));
  onFile(path, 'making the directory', () => {
    // Not recursively: Node tries for ever where the system says that what lies above is not there.
    if (!makeDirectory(path)) return;
    if (basename(path) === '.stepfork') writeFileSync(join(path, '.gitignore'), '*\n', { mode: FILE_MODE });
  });
}

/** @returns false where somebody else has just made it */
function makeDirectory(path: string): boolean {
  try {
    mkdirSync(path, { mode: DIRECTORY_MODE });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'EEXIST' && statSync(path).isDirectory()) return false;
    throw error;
  }
}

/** Makes one directory that must not be there yet. */
export function makeFreshDirectory(path: string): void {
  onFile(path, 'making the directory', () => mkdirSync(path, { mode: DIRECTORY_MODE }));
}

/** Replaces a file's content at once: a reader sees the old text or the new one, whenever the process dies. */
export function replaceFile(path: string, text: string): void {
  const fresh = `${path}.new`;
  onFile(path, 'writing', () => {
    // Exclusive: a link of that name in a bundle from elsewhere must not be written through.
    writeFileSync(fresh, text, { mode: FILE_MODE, flag: 'wx' });
    renameSync(fresh, path);
  });
}

/** What lies at a path, without following a symbolic link. */
export function kindAt(path: string): 'nothing' | 'file' | 'directory' | 'other' {
  const stats = reading(path, () => lookUp(path));
  if (stats === undefined) return 'nothing';
  if (stats.isDirectory()) return 'directory';
  return stats.isFile() ? 'file' : 'other';
}

function lookUp(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // Something on the way is a file.
    if ((error as { code?: unknown }).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Removes a directory and everything in it; links are removed, not followed. */
export function removeDirectory(path: string): void {
  onFile(path, 'removing', () => rmSync(path, { recursive: true, force: true }));
}

/**
 * Removes a directory that was just made, with those of the named files that are in it, as far as that is possible.
 * Without reading the directory: the process may have no descriptor left for that.
 */
export function discardFresh(path: string, names: readonly string[]): void {
  for (const name of names) attempt(() => unlinkSync(join(path, name)));
  attempt(() => rmdirSync(path));
}

function attempt(operation: () => void): void {
  try {
    operation();
  } catch {
    // What went wrong before is what is told.
  }
}

/** Removes a file, if it is there. */
export function removeFile(path: string): void {
  onFile(path, 'removing', () => rmSync(path, { force: true }));
}
