import { Buffer } from 'node:buffer';
import type { OpenMember } from './members.js';

const CHUNK = 1024 * 1024;

/** The bytes of an open member, piece by piece, each good until the next is asked for. */
export function* memberChunks(member: OpenMember): Generator<Buffer, void, undefined> {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, member.size + 1));
  for (;;) {
    const read = member.read(buffer, 0, buffer.length);
    if (read === 0) return;
    yield buffer.subarray(0, read);
  }
}
