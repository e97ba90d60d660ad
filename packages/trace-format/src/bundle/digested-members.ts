import type { Hash } from 'node:crypto';
import { isStepforkError } from '../errors.js';
import { runningSha256 } from '../hash.js';
import { memberChunks } from './chunks.js';
import { type Members, type OpenMember, withMember } from './members.js';

/** What is known of a member once it was read. */
export interface Measure {
  /** SHA-256 over its exact bytes. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
}

/** Members whose bytes are hashed as they are read, so that verifying needs no second pass. */
export class DigestedMembers implements Members {
  readonly #members: Members;
  readonly #read = new Map<string, Measure>();

  constructor(members: Members) {
    this.#members = members;
  }

  get path(): string {
    return this.#members.path;
  }

  get seals(): ReadonlyMap<string, string> {
    return this.#members.seals;
  }

  has(name: string): boolean {
    return this.#members.has(name);
  }

  blobs(): readonly string[] {
    return this.#members.blobs();
  }

  open(name: string): OpenMember | null {
    const member = this.#members.open(name);
    return member === null || this.#read.has(name) ? member : this.#digesting(name, member);
  }

  /**
   * SHA-256 over a member's exact bytes, which are read now unless they were; null for one that is missing, or is
   * no regular file of the bundle.
   */
  digest(name: string): string | null {
    return this.measure(name)?.digest ?? null;
  }

  /** The same, and how many bytes it has. */
  measure(name: string): Measure | null {
    const known = this.#read.get(name);
    if (known !== undefined) return known;
    try {
      withMember(this, name, (member) => {
        for (const _chunk of memberChunks(member));
      });
    } catch (error) {
      if (!isStepforkError(error, 'missing_file')) throw error;
    }
    return this.#read.get(name) ?? null;
  }

  #digesting(name: string, member: OpenMember): OpenMember {
    const hash: Hash = runningSha256();
    let size = 0;
    let isDone = false;
    return {
      ...member,
      read: (buffer, offset, length) => {
        const read = member.read(buffer, offset, length);
        if (read > 0) {
          size += read;
          hash.update(buffer.subarray(offset, offset + read));
        } else if (!isDone) {
          isDone = true;
          this.#read.set(name, { digest: hash.digest('hex'), size });
        }
        return read;
      },
    };
  }
}
