import { createHash, type Hash, hash } from 'node:crypto';

/** SHA-256, as 64 lower-case hex digits. Text is hashed as its UTF-8 bytes. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** A SHA-256 that is fed piece by piece. */
export function runningSha256(): Hash {
  return createHash('sha256');
}
