import { join } from 'node:path';
import { type BlobReader, isBlobName } from '../blobs.js';
import { displayText } from '../display.js';
import { isStepforkError, StepforkError } from '../errors.js';
import { sha256 } from '../hash.js';
import { blobMember, MAX_BLOB_BYTES } from './layout.js';
import { readAll } from './member.js';
import { type Members, withMember } from './members.js';

/** The blobs of a bundle on disk, each read when it is asked for. */
export class BundleBlobs implements BlobReader {
  readonly #members: Members;

  constructor(members: Members) {
    this.#members = members;
  }

  has(digest: string): boolean {
    return isBlobName(digest) && this.#members.has(blobMember(digest));
  }

  read(digest: string): Uint8Array {
    const bytes = isBlobName(digest) ? this.#bytes(digest) : null;
    if (bytes === null) throw this.#fault('missing_blob', digest, 'is not in the bundle');
    if (sha256(bytes) !== digest) throw this.#fault('invalid_blob', digest, 'is not what its name says');
    return bytes;
  }

  #bytes(digest: string): Uint8Array | null {
    try {
      return withMember(this.#members, blobMember(digest), (member) => {
        if (member.size <= MAX_BLOB_BYTES) return readAll(member);
        throw this.#fault('invalid_blob', digest, `is larger than ${MAX_BLOB_BYTES} bytes`);
      });
    } catch (error) {
      if (isStepforkError(error, 'missing_file')) return null;
      throw error;
    }
  }

  #fault(code: string, digest: string, what: string): StepforkError {
    const file = join(this.#members.path, isBlobName(digest) ? blobMember(digest) : 'blobs');
    return new StepforkError(code, `${file}: blob '${displayText(digest)}' ${what}`, {
      details: { file, blob: digest },
    });
  }
}
