import { Buffer } from 'node:buffer';
import { types } from 'node:util';

/** Binary data as it lies in memory. */
export interface Bytes {
  /** `ArrayBuffer`, `SharedArrayBuffer`, `DataView`, `Buffer`, or the name of a typed array. */
  readonly kind: string;
  readonly base64: string;
}

const TYPED_ARRAYS = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
} as const;

/** The bytes of a buffer or view, or null for any other object. */
export function bytesOf(value: object): Bytes | null {
  if (types.isAnyArrayBuffer(value)) {
    const kind = types.isSharedArrayBuffer(value) ? 'SharedArrayBuffer' : 'ArrayBuffer';
    return { kind, base64: Buffer.from(value as ArrayBuffer).toString('base64') };
  }
  if (!ArrayBuffer.isView(value)) return null;
  const base64 = encodeBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  return { kind: kindOf(value), base64 };
}

function kindOf(view: ArrayBufferView): string {
  if (Buffer.isBuffer(view)) return 'Buffer';
  return types.isTypedArray(view) ? (view as Uint8Array)[Symbol.toStringTag] : 'DataView';
}

export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** The bytes that a base64 text stands for, or null where encoding them does not give that very text. */
export function decodeBase64(base64: string): Buffer | null {
  const buffer = Buffer.from(base64, 'base64');
  return buffer.toString('base64') === base64 ? buffer : null;
}

/** The object again, or null for a kind that is not known or bytes that do not fit it. */
export function fromBytes(kind: string, buffer: Buffer): object | null {
  if (kind === 'Buffer') return buffer;
  const own = new ArrayBuffer(buffer.length);
  new Uint8Array(own).set(buffer);
  if (kind === 'ArrayBuffer') return own;
  if (kind === 'DataView') return new DataView(own);
  if (kind === 'SharedArrayBuffer') return shared(buffer);
  if (!Object.hasOwn(TYPED_ARRAYS, kind)) return null;
  const TypedArray = TYPED_ARRAYS[kind as keyof typeof TYPED_ARRAYS];
  return buffer.length % TypedArray.BYTES_PER_ELEMENT === 0 ? new TypedArray(own) : null;
}

function shared(buffer: Buffer): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(buffer.length);
  new Uint8Array(memory).set(buffer);
  return memory;
}
