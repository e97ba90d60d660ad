import { Buffer } from 'node:buffer';
import { sha256 } from '../../hash.js';
import { BLOBS_FOLDER, INTEGRITY_FILE, REQUIRED_FILES, RUNTIME_FILE } from '../layout.js';

/** First line of a packed bundle, up to its version. */
export const PACK_MAGIC = 'stepfork-pack/';
/** First line of a packed bundle as it is written and read here. */
export const PACK_LINE = `${PACK_MAGIC}1\n`;

/** The names a packed bundle may hold, in the order in which they stand; then come its blobs, ascending. */
export const PACKED_FILES = [...REQUIRED_FILES, INTEGRITY_FILE, RUNTIME_FILE] as const;

/** A member of a packed bundle. */
export interface PackEntry {
  readonly name: string;
  /** In bytes, as it stands there: a blob is base64 text. */
  readonly size: number;
  /** SHA-256 of its exact bytes, those of the blob where it is one. */
  readonly digest: string;
}

const ENTRY = /^([a-z]+\.jsonl?|blobs\/[0-9a-f]{64}) (0|[1-9]\d{0,15}) ([0-9a-f]{64})$/;
const SEAL = /^seal ([0-9a-f]{64})$/;

/** Enough for the header of a bundle with few blobs, and most that is read of any: some hundred thousand blobs. */
const HEADER_BYTES = 4096;
const MAX_HEADER_BYTES = 4096 * 4 ** 6;

/** The header: a line for each member, and the digest of these lines. */
export function formatHeader(entries: readonly PackEntry[]): string {
  const lines = entries.map(({ name, size, digest }) => `${name} ${size} ${digest}\n`);
  const sealed = `${PACK_LINE}${lines.join('')}`;
  return `${sealed}seal ${sha256(sealed)}\n`;
}

/** Whether a member is a blob. */
export function isBlobMember(name: string): boolean {
  return name.startsWith(`${BLOBS_FOLDER}/`);
}

/** What stands before each member, so that a person sees where it begins. Its own bytes are no part of the member. */
export function separatorOf(name: string): Buffer {
  return Buffer.from(`\n--- ${name}\n`);
}

/** A header that was read. */
export interface PackHeader {
  readonly entries: readonly PackEntry[];
  /** In bytes. */
  readonly length: number;
}

/**
 * Reads the header that a packed bundle begins with. Names come from a fixed list, or are the digests of blobs, each
 * at most once and in its order, so that none leads out of the bundle.
 *
 * @returns one line saying what is wrong, when something is
 */
export function parseHeader(bytes: Buffer): PackHeader | string {
  const text = bytes.toString('latin1');
  const entries: PackEntry[] = [];
  let at = PACK_LINE.length;
  let last: readonly [number, string] = [-1, ''];
  for (;;) {
    const end = text.indexOf('\n', at);
    if (end === -1) return 'its header does not end';
    const line = text.slice(at, end);
    const seal = SEAL.exec(line)?.[1];
    if (seal !== undefined) {
      if (seal !== sha256(bytes.subarray(0, at))) return 'its header is not the one that was sealed';
      return { entries, length: end + 1 };
    }
    const [, name = '', size = '', digest = ''] = ENTRY.exec(line) ?? [];
    const place = isBlobMember(name) ? PACKED_FILES.length : (PACKED_FILES as readonly string[]).indexOf(name);
    const isNext = place > last[0] || (place === PACKED_FILES.length && name > last[1]);
    if (!isNext || !Number.isSafeInteger(Number(size))) return `line ${entries.length + 2} names no member`;
    last = [place, name];
    entries.push({ name, size: Number(size), digest });
    at = end + 1;
  }
}

/** Reads up to `length` bytes of a file from `position` on; fewer at its end. */
export type BytesAt = (position: number, length: number) => Uint8Array;

/**
 * A packed bundle's bytes from its start on until the header's end is among them, where there is one.
 *
 * @param most bytes that are read at most, about
 */
export function readHead(bytesAt: BytesAt, most = MAX_HEADER_BYTES): Buffer {
  for (let size = HEADER_BYTES; ; size *= 4) {
    const bytes = bytesAt(0, size);
    const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const seal = head.indexOf('\nseal ');
    if (head.length < size || size >= most || (seal !== -1 && head.indexOf('\n', seal + 1) !== -1)) return head;
  }
}

/** A member and where it begins. */
export interface PlacedEntry extends PackEntry {
  readonly start: number;
}

/** Where the members that a header names lie. */
export function placesOf({ entries, length }: PackHeader): readonly PlacedEntry[] {
  let start = length;
  return entries.map((entry) => {
    start += separatorOf(entry.name).length;
    const placed = { ...entry, start };
    start += entry.size;
    return placed;
  });
}

/**
 * Where the members of a packed bundle lie, by its header alone: whether the file keeps what that says is not looked at.
 *
 * @param most bytes of the header that are read at most, about
 * @returns null for a file that is no packed bundle
 */
export function packedPlaces(bytesAt: BytesAt, most: number): ReadonlyMap<string, PlacedEntry> | null {
  const head = readHead(bytesAt, most);
  const header = head.toString('latin1', 0, PACK_LINE.length) === PACK_LINE ? parseHeader(head) : null;
  if (header === null || typeof header === 'string') return null;
  return new Map(placesOf(header).map((entry) => [entry.name, entry]));
}
