import { types } from 'node:util';
import { parseJson } from '@stepfork/trace-format/write';
import { hasLossyNumber } from '../lossy-number.js';
import { byDigest } from './digest.js';
import { type OpenFields, openFields } from './fields.js';
import { isJsonType, type Target } from './target.js';

/** What is recorded of a request's body. */
export interface RequestBody {
  /** Whether it is JSON, and `value` what it says; else `value` describes it. */
  readonly isJson: boolean;
  /** Undefined for no body. */
  readonly value: unknown;
}

const NONE: RequestBody = { isJson: false, value: undefined };
const FORM = 'multipart/form-data';

/**
 * What a request carries. JSON is told at once where it is given as text, so that calls that are made side by side
 * start in the order in which they were made. A stream is not read: that is the request's own to do.
 */
export function readBody({ body, request, contentType }: Target): RequestBody | Promise<RequestBody> {
  if (body !== undefined) return describe(body, contentType);
  if (request === null || request.body === null || request.bodyUsed) return NONE;
  return readRequest(request, contentType);
}

async function readRequest(request: Request, contentType: string | null): Promise<RequestBody> {
  try {
    const copy = request.clone();
    // The boundary between the parts of a form is another each time.
    return await describe(contentType === FORM ? await copy.formData() : await copy.arrayBuffer(), contentType);
  } catch {
    return unread(contentType, request.body);
  }
}

function describe(body: unknown, contentType: string | null): RequestBody | Promise<RequestBody> {
  if (typeof body === 'string') return ofText(body, contentType);
  if (types.isAnyArrayBuffer(body)) return ofBytes(new Uint8Array(body), contentType);
  if (ArrayBuffer.isView(body))
    return ofBytes(new Uint8Array(body.buffer, body.byteOffset, body.byteLength), contentType);
  if (isTagged<URLSearchParams>(body, 'URLSearchParams')) {
    return ofText(String(body), contentType ?? 'application/x-www-form-urlencoded');
  }
  if (isTagged<FormData>(body, 'FormData')) return ofForm(body);
  if (isTagged<Blob>(body, 'Blob', 'File')) return ofBlob(body, contentType);
  return unread(contentType, body);
}

function ofText(text: string, contentType: string | null): RequestBody {
  const json =
    contentType === null || isJsonType(contentType) || contentType === 'text/plain' ? jsonOf(text) : undefined;
  if (json !== undefined) return { isJson: true, value: json };
  return other(byDigest(new TextEncoder().encode(text), contentType ?? 'text/plain'));
}

function ofBytes(bytes: Uint8Array, contentType: string | null): RequestBody {
  const json = isJsonType(contentType) ? jsonOf(new TextDecoder().decode(bytes)) : undefined;
  return json === undefined ? other(byDigest(bytes, contentType)) : { isJson: true, value: json };
}

async function ofBlob(blob: Blob, contentType: string | null): Promise<RequestBody> {
  return ofBytes(new Uint8Array(await blob.arrayBuffer()), contentType ?? (blob.type === '' ? null : blob.type));
}

/** Texts by their names, which is where a model and its parameters stand; files by digest and type. */
async function ofForm(form: FormData): Promise<RequestBody> {
  const fields: OpenFields = openFields();
  for (const [name, value] of form) fields.add(name, typeof value === 'string' ? value : await ofFile(value));
  return other({ type: FORM, fields: fields.all });
}

async function ofFile(file: File): Promise<object> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { filename: file.name, ...byDigest(bytes, file.type === '' ? null : file.type) };
}

/** A stream, and what cannot be read. It is recorded as what it is, no data: both the recording and a replay say so. */
function unread(type: string | null, unread: unknown): RequestBody {
  return other({ type, unread });
}

function other(value: object): RequestBody {
  return { isJson: false, value };
}

/** Undefined for what is no JSON text of an object or a list. */
function jsonOf(text: string): unknown {
  try {
    // A number that is too long for JavaScript is no other than itself: an id of 64 bits.
    const value: unknown = hasLossyNumber(text) ? parseJson(text) : JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Told by its tag: of any realm or library. */
function isTagged<T extends object>(value: unknown, ...tags: readonly string[]): value is T {
  if (typeof value !== 'object' || value === null) return false;
  const tag: unknown = (value as { readonly [Symbol.toStringTag]?: unknown })[Symbol.toStringTag];
  return typeof tag === 'string' && tags.includes(tag);
}
