import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync } from 'node:fs';
import { StepforkError } from '../errors.js';
import { mostDescriptors } from './descriptors.js';
import { FILE_MODE, onFile } from './files.js';
import { writeAll } from './write-all.js';

/** Least recently used first. */
const open = new Set<AppendFile>();

/**
 * A file that only grows, each write in one system call, so that a process that is killed loses nothing whose
 * write had returned.
 */
export class AppendFile {
  readonly #path: string;
  #descriptor: number | null = null;
  #size = 0;

  /** Creates the file; it must not be there yet. */
  constructor(path: string) {
    this.#path = path;
    this.#open(constants.O_CREAT | constants.O_EXCL);
  }

  /**
   * Appends all bytes or, when the system refuses (disk full), none: a torn end is cut off again.
   *
   * @throws StepforkError `write_failed`
   */
  append(bytes: Uint8Array): void {
    const descriptor = this.#use();
    try {
      writeAll(descriptor, bytes);
    } catch (error) {
      onFile(this.#path, 'cutting off a torn write', () => ftruncateSync(descriptor, this.#size));
      onFile(this.#path, 'writing', () => {
        throw error;
      });
    }
    this.#size += bytes.length;
  }

  /** Bytes in the file. */
  get size(): number {
    return this.#size;
  }

  /**
   * Makes sure that what lies at the path is the file that was written, with all that was written and no more.
   *
   * @throws StepforkError `bundle_changed`
   */
  requireUnchanged(): void {
    const descriptor = this.#use();
    const [written, found] = onFile(this.#path, 'checking', () => [
      fstatSync(descriptor),
      lstatSync(this.#path, { throwIfNoEntry: false }),
    ]);
    const isSame = found?.isFile() === true && found.ino === written.ino && found.dev === written.dev;
    if (!isSame) throw changed(this.#path, 'was removed or replaced');
    if (written.size !== this.#size) throw changed(this.#path, `has ${written.size} bytes, not ${this.#size}`);
  }

  /** @throws StepforkError `write_failed`; closed it is all the same */
  close(): void {
    open.delete(this);
    const descriptor = this.#descriptor;
    this.#descriptor = null;
    if (descriptor !== null) onFile(this.#path, 'closing', () => closeSync(descriptor));
  }

  #use(): number {
    if (this.#descriptor === null) return this.#open(0);
    open.delete(this);
    open.add(this);
    return this.#descriptor;
  }

  #open(flags: number): number {
    if (open.size >= mostDescriptors()) closeOldest();
    const descriptor = onFile(this.#path, 'opening', () => openOrMakeRoom(this.#path, flags));
    this.#descriptor = descriptor;
    open.add(this);
    return descriptor;
  }
}

function openOrMakeRoom(path: string, flags: number): number {
  const all = constants.O_WRONLY | constants.O_APPEND | flags;
  try {
    return openSync(path, all, FILE_MODE);
  } catch (error) {
    // The process is out of descriptors: ours can be reopened, the agent's cannot.
    if ((error as { code?: unknown }).code !== 'EMFILE' || open.size === 0) throw error;
    for (const file of [...open]) giveBack(file);
    return openSync(path, all, FILE_MODE);
  }
}

function closeOldest(): void {
  for (const file of open) {
    giveBack(file);
    return;
  }
}

/** Of another writer, whose failure is none of this one: it is told by its next write. */
function giveBack(file: AppendFile): void {
  try {
    file.close();
  } catch {
    // Closed it is.
  }
}

/** A file of a bundle that is being written is not what the writer left. */
export function changed(path: string, how: string): StepforkError {
  const message = `${path} ${how} while the run went on; keep other programs from the bundle until the run is over`;
  return new StepforkError('bundle_changed', message, { details: { file: path } });
}
