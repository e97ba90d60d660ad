import { closeSync, constants, ftruncateSync, openSync } from 'node:fs';
import { FILE_MODE, onFile } from './files.js';
import { writeAll } from './write-all.js';

/** Descriptors held at once, for all writers: a thousand runs in one process must fit under a limit of 1,024. */
const MAX_OPEN = 128;
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

  close(): void {
    open.delete(this);
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #use(): number {
    if (this.#descriptor === null) return this.#open(0);
    open.delete(this);
    open.add(this);
    return this.#descriptor;
  }

  #open(flags: number): number {
    if (open.size >= MAX_OPEN) closeOldest();
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
    for (const file of [...open]) file.close();
    return openSync(path, all, FILE_MODE);
  }
}

function closeOldest(): void {
  for (const file of open) {
    file.close();
    return;
  }
}
