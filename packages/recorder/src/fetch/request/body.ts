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
export function readBody(target: Target): RequestBody | Promise<RequestBody> {
  const { body, request } = target;
  if (body !== undefined) return describe(body, target);
  if (request === null || request.body === null || request.bodyUsed) return NONE;
  return readRequest(request, target);
}

/** What is said of a body beside it. */
type Declared = Pick<Target, 'contentType' | 'headers'>;

async function readRequest(request: Request, declared: Declared): Promise<RequestBody> {
  try {
    return await describe(await request.clone().arrayBuffer(), declared);
  } catch {
    return unread(declared.contentType, request.body);
  }
}

function describe(body: unknown, declared: Declared): RequestBody | Promise<RequestBody> {
  const { contentType } = declared;
  if (typeof body === 'string') return ofText(body, declared);
  if (types.isAnyArrayBuffer(body)) return ofBytes(new Uint8Array(body), declared);
  if (ArrayBuffer.isView(body)) return ofBytes(new Uint8Array(body.buffer, body.byteOffset, body.byteLength), declared);
  if (isTagged<URLSearchParams>(body, 'URLSearchParams')) {
    return ofText(String(body), { ...declared, contentType: contentType ?? 'application/x-www-form-urlencoded' });
  }
  if (isTagged<FormData>(body, 'FormData')) return ofForm(body);
  if (isTagged<Blob>(body, 'Blob', 'File')) return ofBlob(body, declared);
  return unread(contentType, body);
}

function ofText(text: string, declared: Declared): RequestBody | Promise<RequestBody> {
  const { contentType } = declared;
  const json =
    contentType === null || isJsonType(contentType) || contentType === 'text/plain' ? jsonOf(text) : undefined;
  if (json !== undefined) return { isJson: true, value: json };
  return ofBytes(new TextEncoder().encode(text), { ...declared, contentType: contentType ?? 'text/plain' });
}

function ofBytes(bytes: Uint8Array, { contentType, headers }: Declared): RequestBody | Promise<RequestBody> {
  if (contentType === FORM) return ofPacked(bytes, headers?.get('content-type') ?? FORM);
  const json = isJsonType(contentType) ? jsonOf(new TextDecoder().decode(bytes)) : undefined;
  return json === undefined ? other(byDigest(bytes, contentType)) : { isJson: true, value: json };
}

async function ofBlob(blob: Blob, { contentType, headers }: Declared): Promise<RequestBody> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return ofBytes(bytes, { headers, contentType: contentType ?? (blob.type === '' ? null : blob.type) });
}

/** A form as a library has packed it, between boundaries that are others each time; bytes where it is none. */
async function ofPacked(bytes: Uint8Array, type: string): Promise<RequestBody> {
  try {
    const packed = new Response(Uint8Array.from(bytes), { headers: { 'content-type': type } });
    return await ofForm(await packed.formData());
  } catch {
    return other(byDigest(bytes, FORM));
  }
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
