import { hasLossyNumber } from '../lossy-number.js';

/** The body of a response that was read to its end, for people to read. */
export interface WholeBody {
  /** A JSON document, else a text, else bytes; absent for no body. */
  readonly body?: unknown;
  /** How a JSON document was laid out, where it was not on one line. */
  readonly indent?: number;
}

export function toBody(bytes: Uint8Array | null): WholeBody {
  if (bytes === null) return {};
  const text = textOf(bytes);
  if (text === null) return { body: bytes };
  const json = documentOf(text);
  if (json === undefined) return { body: text };
  const [, indent] = /^[[{]\r?\n( +)\S/.exec(text) ?? [];
  return indent === undefined ? { body: json } : { body: json, indent: indent.length };
}

/** What a `Response` is made of. Bytes: of a text, it would make a content type that nobody sent. */
export function toContent({ body, indent }: WholeBody): Uint8Array<ArrayBuffer> | null {
  if (body === undefined) return null;
  if (ArrayBuffer.isView(body)) return Uint8Array.from(body as Uint8Array);
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body, null, indent));
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** An object or a list; any other JSON value is as well a text, and so is one that could not be written as it was. */
export function documentOf(text: string): unknown {
  if (hasLossyNumber(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
