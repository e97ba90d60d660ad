import { writeSync } from 'node:fs';

/** Writes all bytes, however many calls the system takes for it. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written);
}
