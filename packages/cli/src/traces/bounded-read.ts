import { Buffer } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** A regular file that is open for reading. */
export interface OpenFile {
  /** In bytes, when it was opened. */
  readonly size: number;
  /** At most `length` bytes from `position` on; fewer at the end. */
  readonly bytes: (position: number, length: number) => Buffer;
}

/**
 * Runs `use` on a file of a folder that may hold anything: a link is not followed, and a named pipe, which would wait
 * for its other end, is not waited for.
 *
 * @returns null for what is no regular file
 */
export function withRegularFile<T>(path: string, use: (file: OpenFile) => T): T | null {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return null;
    return use({ size: stats.size, bytes: (position, length) => read(descriptor, position, length) });
  } finally {
    closeSync(descriptor);
  }
}

function read(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const more = readSync(descriptor, bytes, filled, length - filled, position + filled);
    if (more === 0) break;
    filled += more;
  }
  return bytes.subarray(0, filled);
}
