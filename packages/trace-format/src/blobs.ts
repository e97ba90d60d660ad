import { sha256 } from './hash.js';
import { carryMarks } from './json/float-marks.js';
import { isJsonArray, type OpenObject, setKey } from './json/object.js';
import type { Json, JsonObject } from './json.js';
import { decodeBase64, encodeBase64 } from './value/bytes.js';
import { TAG_KEY, tagOf } from './value/tags.js';

/** The most bytes that stand in an event themselves. More lie beside the events, in a file named by their digest. */
export const BLOB_LIMIT = 16 * 1024;

/** Bytes that lie beside a bundle's events. */
export interface BlobReader {
  /** Whether there is such a blob; it may still not be what it should be. */
  has(sha256: string): boolean;
  /**
   * The bytes, which have this digest.
   *
   * @throws StepforkError `missing_blob`; `invalid_blob` for a file that holds something else; `read_failed`
   */
  read(sha256: string): Uint8Array;
}

/** What stands in an event for bytes that lie in a blob. */
export interface BlobReference {
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

const DIGEST = /^[0-9a-f]{64}$/;

/** Whether text is a digest, and so may be the name of a blob's file. */
export function isBlobName(text: string): boolean {
  return DIGEST.test(text);
}

/** The blob that a JSON object stands for, or null for any other object. */
export function blobOf(json: JsonObject): BlobReference | null {
  if (tagOf(json) !== 'bytes' || !Object.hasOwn(json, 'blob')) return null;
  const { blob, size } = json;
  return typeof blob === 'string' && isBlobName(blob) && typeof size === 'number' ? { sha256: blob, size } : null;
}

/** Calls `found` with every blob that a value names. */
export function eachBlob(json: Json, found: (blob: BlobReference) => void): void {
  if (typeof json !== 'object' || json === null) return;
  if (isJsonArray(json)) {
    for (const item of json) eachBlob(item, found);
    return;
  }
  const blob = blobOf(json);
  if (blob !== null) found(blob);
  for (const key of Object.keys(json)) eachBlob(json[key] as Json, found);
}

/** Gives bytes that stand in an event a place of their own. */
type Put = (sha256: string, bytes: Uint8Array) => void;

/**
 * A value as it is written: every `bytes` tag of more than `BLOB_LIMIT` bytes names a blob instead. What is compared
 * with a recorded value must have gone through here, too.
 *
 * @param put is given each blob that was named
 * @returns the same object where nothing was to be changed; it is never changed itself
 */
export function externalizeBytes(json: Json, put?: Put): Json {
  return mapObjects(json, (object) => reference(object, put));
}

/**
 * The opposite: every reference to a blob becomes the bytes themselves again, for whoever has to look at them.
 *
 * @returns the same object where nothing was to be changed; it is never changed itself
 * @throws StepforkError as `BlobReader.read`
 */
export function inlineBytes(json: Json, blobs: BlobReader): Json {
  return mapObjects(json, (object) => {
    const blob = blobOf(object);
    if (blob === null || typeof object.kind !== 'string') return null;
    return { [TAG_KEY]: 'bytes', base64: encodeBase64(blobs.read(blob.sha256)), kind: object.kind };
  });
}

/** Base64 has four characters for three bytes. */
const MIN_BASE64 = (BLOB_LIMIT / 3) * 4;

/** Whether canonical text may hold bytes that are to lie in a blob: a look that costs next to nothing. */
export function mayHoldBlob(text: string): boolean {
  return text.length > MIN_BASE64 && text.includes(`"${TAG_KEY}":"bytes"`);
}

function reference(json: JsonObject, put: Put | undefined): Json | null {
  const { kind, base64 } = json;
  if (typeof base64 !== 'string' || base64.length < MIN_BASE64 || typeof kind !== 'string') return null;
  // What a redactor changed is no longer what it says it is, and stays readable.
  if (tagOf(json) !== 'bytes' || Object.keys(json).length !== 3) return null;
  const bytes = decodeBase64(base64);
  if (bytes === null || bytes.length <= BLOB_LIMIT) return null;
  const digest = sha256(bytes);
  put?.(digest, bytes);
  // In the order in which keys are written.
  return { [TAG_KEY]: 'bytes', blob: digest, kind, size: bytes.length };
}

/** Replaces objects in a value; those for which `replace` has nothing are looked into. */
function mapObjects(json: Json, replace: (object: JsonObject) => Json | null): Json {
  if (typeof json !== 'object' || json === null) return json;
  if (isJsonArray(json)) return changedItems(json, replace) ?? json;
  return replace(json) ?? changedFields(json, replace) ?? json;
}

function changedItems(list: readonly Json[], replace: (object: JsonObject) => Json | null): Json | null {
  let copy: Json[] | null = null;
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as Json;
    const changed = mapObjects(item, replace);
    if (changed === item) continue;
    copy ??= [...list];
    copy[i] = changed;
  }
  if (copy !== null) carryMarks(list, copy);
  return copy;
}

function changedFields(object: JsonObject, replace: (object: JsonObject) => Json | null): Json | null {
  const changes = new Map<string, Json>();
  for (const key of Object.keys(object)) {
    const item = object[key] as Json;
    const changed = mapObjects(item, replace);
    if (changed !== item) changes.set(key, changed);
  }
  if (changes.size === 0) return null;
  const copy: OpenObject = {};
  for (const key of Object.keys(object)) setKey(copy, key, changes.get(key) ?? (object[key] as Json));
  carryMarks(object, copy);
  return copy;
}
