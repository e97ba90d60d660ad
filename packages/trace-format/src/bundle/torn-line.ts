import type { Buffer } from 'node:buffer';
import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isStepforkError } from '../errors.js';
import { directoryMembers } from './directory-members.js';
import { FILE_MODE, kindAt, onFile } from './files.js';
import { type MemberLine, memberLines } from './lines.js';
import { withMember } from './members.js';

/** A last line that a dying process left unfinished. */
export interface DroppedLine {
  /** File name within the bundle. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly bytes: number;
}

/**
 * Reads a file of a bundle line by line, and repairs its end: a last line without its line end is completed when
 * `read` takes it, else cut off. A bad line anywhere else is not what a dying process leaves, and is thrown.
 *
 * @param read takes a line, or throws
 * @returns the line that was cut off, or null
 */
export function repairEnd(path: string, read: (bytes: Buffer, line: number) => void): DroppedLine | null {
  const last = withMember(directoryMembers(dirname(path)), basename(path), (member) => {
    for (const line of memberLines(member)) {
      if (!line.terminated) return unfinished(line, read);
      read(line.bytes, line.number);
    }
    return null;
  });
  if (last === null) return null;
  if (last.isWhole) {
    onFile(path, 'completing the last line', () => appendFileSync(path, '\n'));
    return null;
  }
  onFile(path, 'cutting off the torn last line', () => truncateSync(path, last.offset));
  return { file: basename(path), line: last.line, bytes: last.bytes };
}

interface UnfinishedLine {
  readonly isWhole: boolean;
  readonly line: number;
  readonly offset: number;
  readonly bytes: number;
}

function unfinished(line: MemberLine, read: (bytes: Buffer, line: number) => void): UnfinishedLine {
  const known = { line: line.number, offset: line.offset, bytes: line.bytes.length };
  try {
    read(line.bytes, line.number);
    return { ...known, isWhole: true };
  } catch (error) {
    if (isStepforkError(error)) return { ...known, isWhole: false };
    throw error;
  }
}

/** Makes an empty file where there is none. */
export function ensureFile(path: string): void {
  if (kindAt(path) !== 'nothing') return;
  onFile(path, 'writing', () => writeFileSync(path, '', { mode: FILE_MODE, flag: 'wx' }));
}
