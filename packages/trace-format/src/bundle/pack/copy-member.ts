import { runningSha256 } from '../../hash.js';
import { memberChunks } from '../chunks.js';
import { onFile } from '../files.js';
import { type Members, withMember } from '../members.js';
import { writeAll } from '../write-all.js';
import type { PackEntry } from './pack-header.js';

/** A file that is being written. */
export interface Output {
  readonly file: string;
  readonly descriptor: number;
}

/**
 * Copies a member's bytes.
 *
 * @returns whether they are those that the entry states
 */
export function copyMember(
  members: Members,
  { name, digest }: Pick<PackEntry, 'name' | 'digest'>,
  output: Output,
): boolean {
  const hash = runningSha256();
  withMember(members, name, (member) => {
    for (const chunk of memberChunks(member)) {
      hash.update(chunk);
      write(output, chunk);
    }
  });
  return hash.digest('hex') === digest;
}

/** Writes bytes to a file that is being written. */
export function write({ file, descriptor }: Output, bytes: Uint8Array): void {
  onFile(file, 'writing', () => writeAll(descriptor, bytes));
}
