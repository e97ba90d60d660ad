import type { Codec } from '../../boundary/handler.js';

/** One for all: making one costs more than what it decodes. */
const TEXTS = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A chunk of a body as the text that it is, so that people and redaction can read it; as bytes where it is none. */
export const CHUNK_CODEC: Codec = {
  encode(chunk) {
    const bytes = chunk as Uint8Array;
    try {
      return TEXTS.decode(bytes);
    } catch {
      return new Uint8Array(bytes);
    }
  },
  decode: (data) => (typeof data === 'string' ? new TextEncoder().encode(data) : data),
};
