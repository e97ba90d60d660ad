import type { Codec } from '../../boundary/handler.js';

/** A chunk of a body as the text that it is, so that people and redaction can read it; as bytes where it is none. */
export const CHUNK_CODEC: Codec = {
  encode(chunk) {
    const bytes = chunk as Uint8Array;
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return Uint8Array.from(bytes);
    }
  },
  decode: (data) => (typeof data === 'string' ? new TextEncoder().encode(data) : data),
};
