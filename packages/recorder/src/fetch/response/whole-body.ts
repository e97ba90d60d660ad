import { hasLossyNumber } from '../lossy-number.js';
import { type Layout, layoutOf, written } from './layout.js';
import { type WideText, wideBytes, wideTextOf } from './wide-text.js';

/** The body of a response that was read to its end, for people to read: a JSON document has its layout beside it. */
export interface WholeBody extends Layout {
  /** A JSON document that can be written again as it was, else a text, else bytes; absent for no body. */
  readonly body?: unknown;
  /** In which it is written, where that is not UTF-8. */
  readonly charset?: WideText['charset'];
}

/** @param type what its head says of it */
export function toBody(bytes: Uint8Array | null, type: string | null): WholeBody {
  if (bytes === null) return {};
  const wide = wideTextOf(bytes, isWide(type));
  if (wide !== null) return { ...bodyOf(wide.text), charset: wide.charset };
  const text = textOf(bytes);
  return text === null ? { body: bytes } : bodyOf(text);
}

/** Whether a content type names UTF-16. */
export function isWide(type: string | null): boolean {
  return /;\s*charset\s*=\s*"?utf-?16/i.test(type ?? '');
}

function bodyOf(text: string): WholeBody {
  const json = documentOf(text);
  // What an agent reads as a text, and asks a model about, is to be the same to the last space.
  const layout = json === undefined ? null : layoutOf(text, json);
  return layout === null ? { body: text } : { body: json, ...layout };
}

/** What a `Response` is made of. Bytes: of a text, it would make a content type that nobody sent. */
export function toContent({ body, charset, ...layout }: WholeBody): Uint8Array<ArrayBuffer> | null {
  if (body === undefined) return null;
  if (ArrayBuffer.isView(body)) return Uint8Array.from(body as Uint8Array);
  const text = typeof body === 'string' ? body : written(body, layout);
  return charset === undefined ? new TextEncoder().encode(text) : wideBytes({ charset, text });
}

/** What a body says, however it is recorded: the document that a text is, where it is one. */
export function saidBy(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  return /^\s*[[{]/.test(body) ? (parsed(body) ?? body) : body;
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** An object or a list; any other JSON value is as well a text, and so is one with numbers that JavaScript has not. */
export function documentOf(text: string): object | undefined {
  return hasLossyNumber(text) ? undefined : parsed(text);
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
