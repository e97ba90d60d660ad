import type { Hash } from 'node:crypto';
import { runningSha256 } from '../../hash.js';
import { memberChunks } from '../chunks.js';
import { onFile } from '../files.js';
import { type Members, type OpenMember, withMember } from '../members.js';
import { writeAll } from '../write-all.js';
import { base64Chunks } from './base64-text.js';
import type { PackEntry } from './pack-header.js';

/** A file that is being written. */
export interface Output {
  readonly file: string;
  readonly descriptor: number;
}

/**
 * Copies a member's bytes.
 *
 * @param asText as base64 text
 * @returns whether they are those that the entry states
 */
export function copyMember(
  members: Members,
  { name, digest }: Pick<PackEntry, 'name' | 'digest'>,
  output: Output,
  asText = false,
): boolean {
  const hash = runningSha256();
  withMember(members, name, (member) => {
    const hashed = { ...member, read: hashing(member, hash) };
    for (const chunk of asText ? base64Chunks(hashed) : memberChunks(hashed)) write(output, chunk);
  });
  return hash.digest('hex') === digest;
}

function hashing(member: OpenMember, hash: Hash): OpenMember['read'] {
  return (buffer, offset, length) => {
    const read = member.read(buffer, offset, length);
    hash.update(buffer.subarray(offset, offset + read));
    return read;
  };
}

/** Writes bytes to a file that is being written. */
export function write({ file, descriptor }: Output, bytes: Uint8Array): void {
  onFile(file, 'writing', () => writeAll(descriptor, bytes));
}
