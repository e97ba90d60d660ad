import { Buffer } from 'node:buffer';
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packedPlaces, sha256 } from '@stepfork/trace-format';

/** What a recording says is in these. integrity.json is left out: it says no more than they do. */
const FILES = ['manifest.json', 'events.jsonl', 'redactions.json', 'runtime.jsonl'];
const BLOB = /^[0-9a-f]{64}$/;
const LONGEST_HEADER = 64 * 1024 * 1024;

/**
 * Names what a recording holds: `sha256-…`, over the digests of its files and the names of its blobs, which are
 * digests themselves. The same for a bundle and for what it is packed to.
 *
 * @returns null where no bundle can be read; whoever loads it says why
 */
export function traceDigest(path: string): string | null {
  try {
    const members = statSync(path).isDirectory() ? inFolder(path) : inPackedFile(path);
    return members.length === 0 ? null : `sha256-${base64(sha256(members.map((line) => `${line}\n`).join('')))}`;
  } catch {
    return null;
  }
}

/** Lines as `sha256sum` prints them. */
function inFolder(path: string): readonly string[] {
  const names = readdirSync(path);
  const files = FILES.filter((name) => names.includes(name));
  const blobs = names.includes('blobs') ? readdirSync(join(path, 'blobs')).filter((name) => BLOB.test(name)) : [];
  return [...files.map((name) => line(name, readFileSync(join(path, name)))), ...blobs.sort().map(blobLine)];
}

function inPackedFile(path: string): readonly string[] {
  const descriptor = openSync(path, 'r');
  const bytesAt = (position: number, length: number): Buffer => {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position));
  };
  try {
    const places = packedPlaces(bytesAt, LONGEST_HEADER) ?? new Map();
    const files = FILES.flatMap((name) => {
      const place = places.get(name);
      return place === undefined ? [] : [line(name, bytesAt(place.start, place.size))];
    });
    const blobs = [...places.keys()].filter((name) => name.startsWith('blobs/'));
    return [...files, ...blobs.sort().map((name) => blobLine(name.slice('blobs/'.length)))];
  } finally {
    closeSync(descriptor);
  }
}

function line(name: string, bytes: Uint8Array): string {
  return `${sha256(bytes)}  ${name}`;
}

function blobLine(digest: string): string {
  return `${digest}  blobs/${digest}`;
}

/** Short enough for one line of a test. */
function base64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}
