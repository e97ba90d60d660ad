import type { Buffer } from 'node:buffer';
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packedPlaces } from '@stepfork/trace-format/write';
import { withRegularFile } from './bounded-read.js';

/** What a bundle shows without its events being read. */
export interface Heads {
  /** manifest.json. */
  readonly manifest: Buffer;
  /** First line of runtime.jsonl; null where there is none, or none of a sensible length. */
  readonly runtime: Buffer | null;
  /** Bytes of the bundle's files. */
  readonly size: number;
  /** Milliseconds since the epoch at which one of its files was last written to. */
  readonly writtenAt: number;
}

/** Far more than any recorder writes: a longer one is somebody's joke, and is not read. */
const LONGEST_MANIFEST = 256 * 1024;
const LONGEST_RUNTIME_LINE = 64 * 1024;
/** A header this long names some ten thousand blobs. Whoever wants such a bundle opens it; a list only glances. */
const LONGEST_HEADER = 1024 * 1024;

/** Heads of a bundle that is a folder, or one line saying why it has none. */
export function folderHeads(path: string): Heads | string {
  const manifest = withRegularFile(join(path, 'manifest.json'), (file) =>
    file.size > LONGEST_MANIFEST ? tooLong(file.size) : file.bytes(0, file.size),
  );
  if (manifest === null) return 'its manifest.json is no regular file';
  if (typeof manifest === 'string') return manifest;
  const files = ['manifest.json', 'events.jsonl', 'redactions.json', 'integrity.json', 'runtime.jsonl']
    .map((name) => join(path, name))
    .concat(blobsIn(join(path, 'blobs')));
  let size = 0;
  let writtenAt = 0;
  for (const file of files) {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats?.isFile() !== true) continue;
    size += stats.size;
    writtenAt = Math.max(writtenAt, stats.mtimeMs);
  }
  return { manifest, runtime: firstLine(join(path, 'runtime.jsonl')), size, writtenAt };
}

/** Heads of a bundle that is one file, or one line saying why it has none. */
export function packedHeads(path: string): Heads | string {
  const heads = withRegularFile(path, (file) => {
    const places = packedPlaces(file.bytes, LONGEST_HEADER);
    const place = places?.get('manifest.json');
    if (places === null || place === undefined) return 'it is no packed bundle';
    if (place.size > LONGEST_MANIFEST) return tooLong(place.size);
    const runtime = places.get('runtime.jsonl');
    const line = runtime === undefined ? null : file.bytes(runtime.start, Math.min(runtime.size, LONGEST_RUNTIME_LINE));
    const manifest = file.bytes(place.start, place.size);
    return { manifest, runtime: line === null ? null : untilLineFeed(line), size: file.size, writtenAt: 0 };
  });
  return heads ?? 'it is no regular file';
}

const tooLong = (size: number): string => `its manifest.json is ${size} bytes long, which no recording's is`;

function firstLine(path: string): Buffer | null {
  try {
    return withRegularFile(path, (file) => untilLineFeed(file.bytes(0, Math.min(file.size, LONGEST_RUNTIME_LINE))));
  } catch {
    // No such file in bundles of other implementations; tags are all that is wanted of it.
    return null;
  }
}

function untilLineFeed(bytes: Buffer): Buffer | null {
  const end = bytes.indexOf(0x0a);
  return end === -1 ? null : bytes.subarray(0, end);
}

function blobsIn(folder: string): readonly string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
}
