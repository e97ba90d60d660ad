import { closeSync, lstatSync, openSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { isBlobName } from '../blobs.js';
import { StepforkError } from '../errors.js';
import { sha256 } from '../hash.js';
import { changed } from './append-file.js';
import { FILE_MODE, kindAt, makeFreshDirectory, onFile, removeFile } from './files.js';
import { BLOBS_FOLDER, MAX_BLOB_BYTES } from './layout.js';
import { writeAll } from './write-all.js';

/** Bytes beside the events of a bundle that is being written, each under its digest and only once. */
export class BlobFolder {
  readonly #path: string;
  /** Sizes by digest. */
  readonly #written = new Map<string, number>();
  #size = 0;

  constructor(bundle: string) {
    this.#path = join(bundle, BLOBS_FOLDER);
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#size;
  }

  /** Digests of what was written, ascending. */
  get digests(): readonly string[] {
    return [...this.#written.keys()].sort();
  }

  /**
   * Makes sure that each is still there, as large as it was written.
   *
   * @throws StepforkError `bundle_changed`
   */
  requireUnchanged(): void {
    for (const [digest, size] of this.#written) {
      const file = join(this.#path, digest);
      const found = onFile(file, 'checking', () => lstatSync(file, { throwIfNoEntry: false }));
      if (found?.isFile() !== true || found.size !== size) throw changed(file, 'was removed or replaced');
    }
  }

  /**
   * Writes bytes, which are in place as a whole once this returns: a process that dies before leaves a file under
   * another name.
   *
   * @returns their digest
   * @throws StepforkError `blob_too_large`, `write_failed`
   */
  put(bytes: Uint8Array, digest = sha256(bytes)): string {
    if (this.#written.has(digest)) return digest;
    if (bytes.length > MAX_BLOB_BYTES) throw tooLarge(this.#path, bytes.length);
    if (this.#written.size === 0 && kindAt(this.#path) === 'nothing') makeFreshDirectory(this.#path);
    writeWhole(join(this.#path, digest), bytes);
    this.#written.set(digest, bytes.length);
    this.#size += bytes.length;
    return digest;
  }
}

function writeWhole(file: string, bytes: Uint8Array): void {
  const fresh = `${file}.new`;
  onFile(file, 'writing', () => {
    try {
      writeFresh(fresh, bytes);
      renameSync(fresh, file);
    } catch (error) {
      removeFile(fresh);
      throw error;
    }
  });
}

function writeFresh(fresh: string, bytes: Uint8Array): void {
  const descriptor = openSync(fresh, 'wx', FILE_MODE);
  try {
    writeAll(descriptor, bytes);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes what a process that died was writing. Whatever is not named as a blob is not ours to keep or to seal. */
export function removeHalfWrittenBlobs(bundle: string): void {
  const folder = join(bundle, BLOBS_FOLDER);
  if (kindAt(folder) !== 'directory') return;
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.new') && isBlobName(name.slice(0, -'.new'.length))) removeFile(join(folder, name));
  }
}

function tooLarge(path: string, size: number): StepforkError {
  return new StepforkError('blob_too_large', `${path}: ${size} bytes are more than the ${MAX_BLOB_BYTES} of a blob`, {
    details: { file: path, size, limit: MAX_BLOB_BYTES },
  });
}
