import { Buffer } from 'node:buffer';
import type { JsonObject } from '@stepfork/trace-format/write';
import { REDACTED } from '../replacement.js';

/** The replacement, as binary data. */
export const REDACTED_BASE64 = Buffer.from(REDACTED).toString('base64');

/** Kinds that hold any number of bytes: in others, replaced text would not fill whole elements. */
const BYTE_KINDS = new Set([
  'ArrayBuffer',
  'SharedArrayBuffer',
  'DataView',
  'Buffer',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int8Array',
]);

/** The Base64 text of binary data of such a kind; null for anything else. */
export function base64Of(object: JsonObject): string | null {
  const { kind, base64 } = object;
  if (typeof kind !== 'string' || typeof base64 !== 'string' || !BYTE_KINDS.has(kind)) return null;
  return /^[A-Za-z0-9+/]*={0,2}$/.test(base64) ? base64 : null;
}

/** Redacts the text that binary data is or holds, so that it still decodes to bytes of its kind. */
export function redactBase64(base64: string, redact: (text: string) => string): string {
  const bytes = Buffer.from(base64, 'base64');
  const utf8 = bytes.toString('utf8');
  const encoding = utf8.includes('\ufffd') ? 'latin1' : 'utf8';
  const text = encoding === 'utf8' ? utf8 : bytes.toString('latin1');
  const redacted = redact(text);
  return redacted === text ? base64 : Buffer.from(redacted, encoding).toString('base64');
}
