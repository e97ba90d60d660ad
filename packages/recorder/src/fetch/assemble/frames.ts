import { isPlainObject } from '../../boundary/plain.js';

/** The length of a frame, that of its headers, and a checksum of the two; at its end comes one more. */
const PRELUDE = 12;
const CHECKSUM = 4;

/**
 * Whether these are the binary frames in which AWS streams. A frame begins with its length, of four bytes, which is far
 * below what would need the first; no text begins with such a byte.
 */
export function areFrames(bytes: Uint8Array): boolean {
  return bytes.length >= PRELUDE + CHECKSUM && bytes[0] === 0;
}

/** The JSON documents that frames carry; what a model says stands in one as base64. */
export function eventsOfFrames(bytes: Uint8Array): readonly unknown[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder();
  const events: unknown[] = [];
  for (let at = 0; at + PRELUDE + CHECKSUM <= bytes.length; ) {
    const length = view.getUint32(at);
    const start = at + PRELUDE + view.getUint32(at + 4);
    const end = at + length - CHECKSUM;
    // One that is cut short is the last.
    if (start > end || at + length > bytes.length) break;
    const event = documentOf(decoder.decode(bytes.subarray(start, end)));
    if (event !== undefined) events.push(saidIn(event));
    at += length;
  }
  return events;
}

function saidIn(event: unknown): unknown {
  if (!isPlainObject(event) || typeof event.bytes !== 'string') return event;
  return documentOf(Buffer.from(event.bytes, 'base64').toString()) ?? event;
}

function documentOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
