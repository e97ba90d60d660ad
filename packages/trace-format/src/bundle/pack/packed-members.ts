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
  isBlobMember,
  PACK_LINE,
  PACK_MAGIC,
  type PlacedEntry,
  parseHeader,
  placesOf,
  readHead,
  separatorOf,
} from './pack-header.js';

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
  const head = readHead((position, length) => bytesAt(path, file, position, length));
  if (!head.subarray(0, PACK_MAGIC.length).equals(Buffer.from(PACK_MAGIC))) return null;
  if (!head.subarray(0, PACK_LINE.length).equals(Buffer.from(PACK_LINE))) throw unsupported(path, head);
  const header = parseHeader(head);
  if (typeof header === 'string') throw invalidPack(path, header);
  const placed = placesOf(header);
  for (const { name, start } of placed) {
    const separator = separatorOf(name);
    if (!bytesAt(path, file, start - separator.length, separator.length).equals(separator)) {
      throw invalidPack(path, `${name} does not begin where the header says`);
    }
  }
  const last = placed.at(-1);
  const end = last === undefined ? header.length : last.start + last.size;
  if (end === file.size) return placed;
  throw invalidPack(path, end > file.size ? 'it is cut off' : 'something follows its last member');
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
