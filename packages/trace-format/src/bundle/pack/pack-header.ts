import { Buffer } from 'node:buffer';
import { sha256 } from '../../hash.js';
import { INTEGRITY_FILE, REQUIRED_FILES, RUNTIME_FILE } from '../layout.js';

/** First line of a packed bundle, up to its version. */
export const PACK_MAGIC = 'stepfork-pack/';
/** First line of a packed bundle as it is written and read here. */
export const PACK_LINE = `${PACK_MAGIC}1\n`;

/** The names a packed bundle may hold, in the order in which they stand. */
export const PACKED_FILES = [...REQUIRED_FILES, INTEGRITY_FILE, RUNTIME_FILE] as const;

/** A member of a packed bundle. */
export interface PackEntry {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** SHA-256 of its exact bytes. */
  readonly digest: string;
}

const ENTRY = /^([a-z]+\.jsonl?) (0|[1-9]\d{0,15}) ([0-9a-f]{64})$/;
const SEAL = /^seal ([0-9a-f]{64})$/;

/** Longest header that can be valid, with room to spare. */
export const MAX_HEADER_BYTES = 4096;

/** The header: a line for each member, and the digest of these lines. */
export function formatHeader(entries: readonly PackEntry[]): string {
  const lines = entries.map(({ name, size, digest }) => `${name} ${size} ${digest}\n`);
  const sealed = `${PACK_LINE}${lines.join('')}`;
  return `${sealed}seal ${sha256(sealed)}\n`;
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
 * Reads the header that a packed bundle begins with. Names come from a fixed list, each at most once and in its
 * order, so that none can be a path.
 *
 * @returns one line saying what is wrong, when something is
 */
export function parseHeader(bytes: Buffer): PackHeader | string {
  const text = bytes.toString('latin1');
  const entries: PackEntry[] = [];
  let at = PACK_LINE.length;
  let order = -1;
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
    const place = (PACKED_FILES as readonly string[]).indexOf(name);
    if (place <= order || !Number.isSafeInteger(Number(size))) return `line ${entries.length + 2} names no member`;
    order = place;
    entries.push({ name, size: Number(size), digest });
    at = end + 1;
  }
}
