import { Buffer } from 'node:buffer';
import type { OpenMember } from '../members.js';

/** Characters that are decoded at once; whole groups of four. */
const TEXT_CHUNK = 64 * 1024;
const PADDING = 0x3d;

/** Length of the base64 text of so many bytes. */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/** The base64 text of an open member's bytes, piece by piece, each good until the next is asked for. */
export function* base64Chunks(member: OpenMember): Generator<Buffer, void, undefined> {
  const buffer = Buffer.allocUnsafe((TEXT_CHUNK / 4) * 3);
  for (;;) {
    const filled = fill(member, buffer);
    if (filled > 0) yield Buffer.from(buffer.toString('base64', 0, filled), 'latin1');
    if (filled < buffer.length) return;
  }
}

/**
 * A member that stands there as base64 text, as the bytes it stands for. What is not base64 as it is written here is
 * passed on as it stands: whatever that is, it has not the digest of the blob.
 */
export function decodedMember(member: OpenMember): OpenMember {
  const text = Buffer.allocUnsafe(TEXT_CHUNK);
  let pending: Buffer = Buffer.alloc(0);
  let isLast = false;
  const next = (): Buffer => {
    const filled = fill(member, text);
    // Padding in the midst: something follows what must be the end.
    const stands = text.subarray(0, filled);
    if (filled === 0 || isLast) return stands;
    isLast = filled < text.length || text[filled - 1] === PADDING;
    const bytes = Buffer.from(stands.toString('latin1'), 'base64');
    return bytes.toString('base64') === stands.toString('latin1') ? bytes : stands;
  };
  return {
    file: member.file,
    size: Math.ceil(member.size / 4) * 3,
    read: (buffer, offset, length) => {
      if (pending.length === 0) pending = next();
      const count = Math.min(length, pending.length);
      buffer.set(pending.subarray(0, count), offset);
      pending = pending.subarray(count);
      return count;
    },
    close: () => member.close(),
  };
}

/** Reads until the buffer is full or the member ends. */
function fill(member: OpenMember, buffer: Buffer): number {
  let filled = 0;
  while (filled < buffer.length) {
    const read = member.read(buffer, filled, buffer.length - filled);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}
