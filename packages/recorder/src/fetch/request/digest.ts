import { sha256 } from '@stepfork/trace-format/write';

/** What is recorded of content that is no JSON. */
export interface Digest {
  readonly type: string | null;
  readonly bytes: number;
  readonly sha256: string;
}

export function byDigest(bytes: Uint8Array, type: string | null): Digest {
  return { type, bytes: bytes.byteLength, sha256: sha256(bytes) };
}
