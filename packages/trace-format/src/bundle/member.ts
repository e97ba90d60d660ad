import { Buffer, isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { StepforkError } from '../errors.js';
import { parseJson } from '../json/parse-json.js';
import type { Json } from '../json.js';
import { MAX_LINE_BYTES } from './layout.js';
import { type Members, type OpenMember, withMember } from './members.js';

/** All bytes of a member that is one JSON document, or null. */
export function readMember(members: Members, name: string): Buffer | null {
  return withMember(members, name, readDocument);
}

/**
 * A member as JSON.
 *
 * @throws StepforkError `missing_file`, `invalid_json`
 */
export function readJsonMember(members: Members, name: string): Json {
  const bytes = readMember(members, name);
  if (bytes === null) throw missingFile(members.path, name);
  return parseBytes(bytes, join(members.path, name), null);
}

/** How JSON text is read. */
export type ParseText = (text: string) => Json;

/** As Python reads it, numbers exact. */
export const parseExactly: ParseText = (text) => parseJson(text, { nonFinite: true });

/** JSON from bytes; the error names the file, and the line where one is given. */
export function parseBytes(bytes: Buffer, file: string, line: number | null, parse = parseExactly): Json {
  if (!isUtf8(bytes)) throw invalidJson(file, line, 'not UTF-8');
  try {
    return parse(bytes.toString('utf8'));
  } catch (error) {
    throw invalidJson(file, line, (error as Error).message, error);
  }
}

export function invalidJson(file: string, line: number | null, why: string, cause?: unknown): StepforkError {
  const place = line === null ? file : `${file}:${line}`;
  const details = line === null ? { file } : { file, line };
  return new StepforkError('invalid_json', `${place}: ${why}`, { details, cause });
}

export function missingFile(bundle: string, name: string): StepforkError {
  const file = join(bundle, name);
  return new StepforkError('missing_file', `${file} is missing`, { details: { file } });
}

function readDocument(member: OpenMember): Buffer {
  if (member.size > MAX_LINE_BYTES) throw invalidJson(member.file, null, `larger than ${MAX_LINE_BYTES} bytes`);
  return readAll(member);
}

/** All bytes of an open member, up to the size that it had when it was opened. */
export function readAll(member: OpenMember): Buffer {
  // One byte of room beyond the end: the read that finds nothing is what tells the end.
  const bytes = Buffer.allocUnsafe(member.size + 1);
  let length = 0;
  while (length < bytes.length) {
    const read = member.read(bytes, length, bytes.length - length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}
