import { Buffer } from 'node:buffer';
import { closeSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { displayText } from '../../display.js';
import { StepforkError } from '../../errors.js';
import { type OpenFile, openRegularFile } from '../directory-members.js';
import { reading } from '../files.js';
import type { Members, OpenMember } from '../members.js';
import { decodedMember } from './base64-text.js';
import {
  HEADER_BYTES,
  isBlobMember,
  MAX_HEADER_BYTES,
  PACK_LINE,
  PACK_MAGIC,
  type PackEntry,
  parseHeader,
  separatorOf,
} from './pack-header.js';

/** A member and where it begins. */
interface PlacedEntry extends PackEntry {
  readonly start: number;
}

/**
 * The members of a packed bundle. Everything outside them (header, separators, the file's length) is checked here;
 * their own bytes are checked against the seals by whoever verifies.
 *
 * @returns null for a file that is none
 * @throws StepforkError `invalid_pack`, `unsupported_schema` for another version, `read_failed`
 */
export function packedMembers(path: string): Members | null {
  const entries = withFile(path, (file) => readEntries(path, file));
  if (entries === null) return null;
  const placed = new Map(entries.map((entry) => [entry.name, entry]));
  return {
    path,
    seals: new Map(entries.map(({ name, digest }) => [name, digest])),
    has: (name) => placed.has(name),
    blobs: () => [...placed.keys()].filter(isBlobMember).map((name) => basename(name)),
    open: (name) => {
      const entry = placed.get(name);
      return entry === undefined ? null : openEntry(path, entry);
    },
  };
}

function readEntries(path: string, file: OpenFile): readonly PlacedEntry[] | null {
  const head = readHead(path, file);
  if (!head.subarray(0, PACK_MAGIC.length).equals(Buffer.from(PACK_MAGIC))) return null;
  if (!head.subarray(0, PACK_LINE.length).equals(Buffer.from(PACK_LINE))) throw unsupported(path, head);
  const header = parseHeader(head);
  if (typeof header === 'string') throw invalidPack(path, header);
  let start = header.length;
  const placed = header.entries.map((entry): PlacedEntry => {
    const separator = separatorOf(entry.name);
    if (!bytesAt(path, file, start, separator.length).equals(separator)) {
      throw invalidPack(path, `${entry.name} does not begin where the header says`);
    }
    start += separator.length + entry.size;
    return { ...entry, start: start - entry.size };
  });
  if (start === file.size) return placed;
  throw invalidPack(path, start > file.size ? 'it is cut off' : 'something follows its last member');
}

/** From the start on until the header's end is among it, where there is one. */
function readHead(path: string, file: OpenFile): Buffer {
  for (let size = HEADER_BYTES; ; size *= 4) {
    const head = bytesAt(path, file, 0, size);
    const seal = head.indexOf('\nseal ');
    if (head.length < size || size >= MAX_HEADER_BYTES || (seal !== -1 && head.indexOf('\n', seal + 1) !== -1)) {
      return head;
    }
  }
}

function openEntry(path: string, { name, start, size }: PlacedEntry): OpenMember {
  const file = join(path, name);
  const opened = openRegularFile(path, file);
  if (opened === null) throw invalidPack(path, 'it is no longer a file');
  let position = start;
  const member: OpenMember = {
    file,
    size,
    read: (buffer, offset, length) => {
      const wanted = Math.min(length, start + size - position);
      const read = wanted === 0 ? 0 : readAt(file, opened, buffer, offset, wanted, position);
      position += read;
      return read;
    },
    close: () => closeSync(opened.descriptor),
  };
  return isBlobMember(name) ? decodedMember(member) : member;
}

function withFile<T>(path: string, use: (file: OpenFile) => T): T | null {
  const file = openRegularFile(path, path);
  if (file === null) return null;
  try {
    return use(file);
  } finally {
    closeSync(file.descriptor);
  }
}

/** Up to `length` bytes, fewer at the end of the file. */
function bytesAt(path: string, file: OpenFile, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const read = readAt(path, file, bytes, filled, length - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
}

function readAt(
  name: string,
  { descriptor }: OpenFile,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
): number {
  return reading(name, () => readSync(descriptor, buffer, offset, length, position));
}

function unsupported(path: string, head: Buffer): StepforkError {
  const [first = ''] = head.toString('latin1', 0, PACK_MAGIC.length + 20).split(/[\r\n]/);
  return new StepforkError(
    'unsupported_schema',
    `${path}: packed as '${displayText(first)}'; this release reads ${PACK_LINE.trim()}`,
    { details: { file: path } },
  );
}

function invalidPack(path: string, problem: string): StepforkError {
  return new StepforkError('invalid_pack', `${path}: the packed bundle was changed: ${problem}`, {
    details: { file: path },
  });
}
