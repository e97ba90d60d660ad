import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { FILE_MODE, onFile, removeFile } from './files.js';

/**
 * A file in a bundle that is being written: which process writes it. Whoever would recover the bundle can tell a run that
 * goes on from one whose process died; it is gone before the bundle is in its place.
 */
export const WRITING_MARK = '.writing';

/** Tells one process from a later one that was given the same number; empty where the system does not say. */
let ownStart: string | null = null;

export function markWriting(workPath: string): void {
  const file = join(workPath, WRITING_MARK);
  ownStart ??= startOf('self')?.start ?? '';
  const text = JSON.stringify({ pid: process.pid, host: hostname(), start: ownStart });
  onFile(file, 'writing', () => writeFileSync(file, text, { mode: FILE_MODE, flag: 'wx' }));
}

export function unmarkWriting(workPath: string): void {
  removeFile(join(workPath, WRITING_MARK));
}

/** The process that writes a bundle; null where none does, or where that cannot be told. */
export function writerOf(workPath: string): number | null {
  const mark = readMark(workPath);
  if (mark === null || mark.host !== hostname() || !isThere(mark.pid)) return null;
  const found = startOf(mark.pid);
  // A process that ended and was not collected yet writes nothing any more.
  if (found !== null && (found.isOver || (mark.start !== '' && found.start !== mark.start))) return null;
  return mark.pid;
}

interface Mark {
  readonly pid: number;
  readonly host: string;
  readonly start: string;
}

function readMark(workPath: string): Mark | null {
  try {
    const { pid, host, start } = JSON.parse(readFileSync(join(workPath, WRITING_MARK), 'utf8')) as Partial<Mark>;
    const isMark =
      Number.isSafeInteger(pid) && Number(pid) > 0 && typeof host === 'string' && typeof start === 'string';
    return isMark ? { pid: Number(pid), host, start } : null;
  } catch {
    return null;
  }
}

function isThere(pid: number): boolean {
  try {
    // Signal 0 reaches nobody, and fails where there is nobody to be reached.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM';
  }
}

/** The state and start time of a process, where the system has them in a file: the 3rd and 22nd field of its `stat`. */
function startOf(pid: number | 'self'): { readonly isOver: boolean; readonly start: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name, which may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { isOver: fields[0] === 'Z' || fields[0] === 'X', start: fields[19] ?? '' };
  } catch {
    return null;
  }
}
