import { Buffer } from 'node:buffer';
import { sha256 } from '../hash.js';

const START_SIZE = 16 * 1024;
/** A buffer that had to grow beyond this is given back after the line. */
const KEEP_SIZE = 1024 * 1024;
const EMPTY_HASH = '0'.repeat(64);

/**
 * One line under construction. Each piece of text is turned into bytes once, where it stands; a payload is hashed
 * as those bytes, and its hash, which stands before it, is filled in afterwards.
 */
export class LineBuffer {
  #bytes = Buffer.allocUnsafe(START_SIZE);
  #length = 0;

  start(): void {
    if (this.#bytes.length > KEEP_SIZE) this.#bytes = Buffer.allocUnsafe(START_SIZE);
    this.#length = 0;
  }

  get length(): number {
    return this.#length;
  }

  text(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** Leaves room for a hash. */
  hashSlot(): number {
    const slot = this.#length;
    this.text(EMPTY_HASH);
    return slot;
  }

  /** Writes a payload, and its hash into `slot`. */
  hashed(text: string, slot: number): string {
    const from = this.#length;
    this.text(text);
    const hash = sha256(this.#bytes.subarray(from, this.#length));
    this.#bytes.write(hash, slot, 'latin1');
    return hash;
  }

  /** The line so far; good until the next `start`. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
