import { Buffer, isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { StepforkError } from '@stepfork/trace-format/write';

/** A file of a bundle. */
export interface Member {
  /** Its path inside the bundle, with slashes. */
  readonly name: string;
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** One line of a member. */
export interface MemberLine {
  readonly text: string;
  /** 1-based. */
  readonly number: number;
}

/** Longest line that is looked at, and largest document that is read whole: what a bundle's reader takes. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
const CHUNK = 1024 * 1024;
const LF = 10;

/**
 * Every file of a bundle, whether the format knows it or not, by name. A bundle that is one file has one.
 *
 * @throws StepforkError `missing_bundle`; `missing_file` for a link or anything else that is no regular file: what
 * cannot be looked at must not pass for clean
 */
export function membersOf(bundle: string): readonly Member[] {
  const stats = reading(bundle, (): Stats | undefined => statSync(bundle, { throwIfNoEntry: false }));
  if (stats?.isFile() === true) return [{ name: basename(bundle), path: bundle, size: stats.size }];
  if (stats?.isDirectory() !== true) {
    throw new StepforkError('missing_bundle', `${bundle}: there is no such bundle`, { details: { file: bundle } });
  }
  return membersBelow(bundle, '');
}

function membersBelow(folder: string, prefix: string): readonly Member[] {
  const entries = reading(folder, () => readdirSync(folder, { withFileTypes: true }));
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry): readonly Member[] => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return membersBelow(path, `${prefix}${entry.name}/`);
      if (!entry.isFile()) {
        throw new StepforkError('missing_file', `${path} is not a regular file; remove it from the bundle`, {
          details: { file: path },
        });
      }
      return [{ name: `${prefix}${entry.name}`, path, size: reading(path, () => statSync(path).size) }];
    });
}

/** The text of a member that is one document. */
export function memberText({ path }: Member): string {
  return textOf(reading(path, () => readFileSync(path)));
}

/**
 * The lines of a member, at flat memory. Bytes that are no UTF-8 are read one character each.
 *
 * @throws StepforkError `event_too_large` for a line over 64 MB, `read_failed`
 */
export function* memberLines({ path }: Member): Generator<MemberLine, void, undefined> {
  // Opening a link or a named pipe that was put there since the members were listed must not lead anywhere.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const descriptor = reading(path, () => openSync(path, flags));
  try {
    let number = 0;
    for (const bytes of linesOf(descriptor, path)) yield { text: textOf(bytes), number: ++number };
  } finally {
    closeSync(descriptor);
  }
}

function* linesOf(descriptor: number, path: string): Generator<Buffer, void, undefined> {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, reading(path, () => fstatSync(descriptor).size) + 1));
  let begun: Buffer[] = [];
  let length = 0;
  for (;;) {
    const read = reading(path, () => readSync(descriptor, chunk, 0, chunk.length, null));
    if (read === 0) break;
    const view = chunk.subarray(0, read);
    let start = 0;
    for (let end = view.indexOf(LF); end >= 0; end = view.indexOf(LF, start)) {
      yield Buffer.concat([...begun, view.subarray(start, end)]);
      begun = [];
      length = 0;
      start = end + 1;
    }
    // The chunk is read into again.
    begun.push(Buffer.from(view.subarray(start)));
    length += read - start;
    if (length > MAX_LINE_BYTES) {
      throw new StepforkError('event_too_large', `${path}: a line is longer than ${MAX_LINE_BYTES} bytes`, {
        details: { file: path },
      });
    }
  }
  if (length > 0) yield Buffer.concat(begun);
}

/** Bytes that are no UTF-8 as one character each. */
export function textOf(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1');
}

function reading<T>(path: string, operation: () => T): T {
  try {
    return operation();
  } catch (cause) {
    const errno = String((cause as { code?: unknown }).code);
    throw new StepforkError('read_failed', `${path}: cannot be read (${errno})`, {
      details: { file: path, errno },
      cause,
    });
  }
}
