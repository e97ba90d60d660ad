import type { Codec } from '../../boundary/handler.js';
import { isWideText, wideBytes, wideTextOf } from './wide-text.js';

/** One for all: making one costs more than what it decodes. */
const TEXTS = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A chunk of a body as the text that it is, so that people and redaction can read it; as bytes where it is none. */
export const CHUNK_CODEC: Codec = {
  encode(chunk) {
    const bytes = chunk as Uint8Array;
    const wide = wideTextOf(bytes, false);
    if (wide !== null) return wide;
    try {
      return TEXTS.decode(bytes);
    } catch {
      return new Uint8Array(bytes);
    }
  },
  decode(data) {
    if (typeof data === 'string') return new TextEncoder().encode(data);
    return isWideText(data) ? wideBytes(data) : data;
  },
};
