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
  const base64 = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  return { kind: kindOf(value), base64 };
}

function kindOf(view: ArrayBufferView): string {
  if (Buffer.isBuffer(view)) return 'Buffer';
  return types.isTypedArray(view) ? (view as Uint8Array)[Symbol.toStringTag] : 'DataView';
}

/** The object again, or null for a kind that is not known or bytes that do not fit it. */
export function fromBytes({ kind, base64 }: Bytes): object | null {
  const buffer = Buffer.from(base64, 'base64');
  if (buffer.toString('base64') !== base64) return null;
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
