import { join } from 'node:path';
import { isBlobName } from '../blobs.js';
import { DigestedMembers } from '../bundle/digested-members.js';
import { blobMember, INTEGRITY_FILE, REQUIRED_FILES, RUNTIME_FILE } from '../bundle/layout.js';
import { parseBytes, readMember } from '../bundle/member.js';
import { openMembers } from '../bundle/open-members.js';
import { hasRuntime } from '../bundle/runtime-reader.js';
import { isStepforkError } from '../errors.js';
import { isJsonObject } from '../json/object.js';
import type { Json } from '../json.js';
import { parseWith } from '../schema/parsed.js';
import { integritySchema } from '../schema/v0-1/integrity.js';
import { type IntegrityStatus, issue, type ValidationIssue } from './issue.js';

/** Whether a bundle's files are those that were sealed. */
export interface IntegrityResult {
  readonly status: Exclude<IntegrityStatus, 'not_checked'>;
  readonly issues: readonly ValidationIssue[];
}

const DIGEST = /^[0-9a-f]{64}$/;

/**
 * Compares the bundle's files with the digests in its integrity.json, those of a packed bundle also with its header.
 * Digests are over exact bytes; the record is not a signature. Writes nothing.
 *
 * @throws StepforkError `missing_bundle`, `invalid_pack`, `unsupported_schema` for another version of packing,
 * `read_failed`, `invalid_runtime`
 */
export function verifyIntegrity(path: string): IntegrityResult {
  return checkIntegrity(new DigestedMembers(openMembers(path)));
}

/** The same, for members some of which may have been read, and so hashed, already. */
export function checkIntegrity(members: DigestedMembers): IntegrityResult {
  const broken = brokenSeals(members);
  const record = readRecord(members);
  if (record.status !== 'found') {
    const status = broken.length === 0 ? record.result.status : 'mismatch';
    return { status, issues: [...broken, ...record.result.issues] };
  }
  const sealed = [
    ...expectedFiles(members, record.files).flatMap((name) =>
      checkFile(name, record.files[name] as string, members.digest(name)),
    ),
    ...expectedBlobs(members, record.files).flatMap((digest) => {
      const name = blobMember(digest);
      return checkBlob(name, digest, record.files[name], members.digest(name));
    }),
  ];
  const told = new Set(sealed.map(({ location }) => location));
  const issues = [...sealed, ...broken.filter(({ location }) => !told.has(location))];
  return { status: issues.length === 0 ? 'verified' : 'mismatch', issues };
}

/** Members of a packed bundle that are not those that were packed. */
function brokenSeals(members: DigestedMembers): readonly ValidationIssue[] {
  return [...members.seals].flatMap(([name, digest]) => checkFile(name, digest, members.digest(name)));
}

type FoundRecord =
  | { readonly status: 'found'; readonly files: Readonly<Record<string, unknown>> }
  | { readonly status: 'unusable'; readonly result: IntegrityResult };

/** The record, or what is wrong with it; then no file is hashed. */
function readRecord(members: DigestedMembers): FoundRecord {
  let json: Json;
  try {
    const bytes = readMember(members, INTEGRITY_FILE);
    if (bytes === null) return unusable('unverified_legacy', [noRecord()]);
    json = parseBytes(bytes, join(members.path, INTEGRITY_FILE), null);
  } catch (error) {
    if (!isStepforkError(error) || error.code === 'read_failed') throw error;
    return unusable('mismatch', [invalidRecord('cannot be read as JSON')]);
  }
  const algorithm = isJsonObject(json) ? json.algorithm : undefined;
  if (typeof algorithm === 'string' && algorithm !== 'sha256') {
    return unusable('mismatch', [
      issue('integrity_algorithm_unsupported', 'integrity.json names another algorithm than sha256', INTEGRITY_FILE),
    ]);
  }
  const parsed = parseWith(integritySchema, json);
  if (!parsed.ok) return unusable('mismatch', [invalidRecord(parsed.problem)]);
  const faults = REQUIRED_FILES.filter((name) => !isDigest(parsed.value.files[name]));
  if (faults.length > 0) {
    return unusable(
      'mismatch',
      faults.map((name) => issue('integrity_metadata_invalid', `integrity.json has no digest of ${name}`, name)),
    );
  }
  return { status: 'found', files: parsed.value.files };
}

function unusable(status: IntegrityResult['status'], issues: readonly ValidationIssue[]): FoundRecord {
  return { status: 'unusable', result: { status, issues } };
}

function noRecord(): ValidationIssue {
  return issue('integrity_unverified', 'there is no integrity.json to verify the bundle against', INTEGRITY_FILE);
}

function invalidRecord(problem: string): ValidationIssue {
  return issue('integrity_metadata_invalid', `integrity.json: ${problem}`, INTEGRITY_FILE);
}

function isDigest(value: unknown): boolean {
  return typeof value === 'string' && DIGEST.test(value);
}

/** The three files, and our runtime.jsonl where it is sealed or lies there. Other names are of no concern. */
function expectedFiles(members: DigestedMembers, files: Readonly<Record<string, unknown>>): readonly string[] {
  const isOurs = Object.hasOwn(files, RUNTIME_FILE) || hasRuntime(members);
  return isOurs ? [...REQUIRED_FILES, RUNTIME_FILE] : REQUIRED_FILES;
}

/** Digests by which blobs are named that are sealed or lie there. */
function expectedBlobs(members: DigestedMembers, files: Readonly<Record<string, unknown>>): readonly string[] {
  const prefix = blobMember('');
  const sealed = Object.keys(files)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
  return [...new Set([...sealed.filter(isBlobName), ...members.blobs()])].sort();
}

function checkBlob(name: string, digest: string, stored: unknown, actual: string | null): readonly ValidationIssue[] {
  if (actual === null) return [issue('missing_blob', `${name} is missing`, name)];
  if (actual !== digest) return [issue('blob_mismatch', `${name} does not hold what its name says`, name)];
  if (stored === actual) return [];
  const why = stored === undefined ? 'is not covered by integrity.json' : 'is sealed under another digest';
  return [issue('integrity_mismatch', `${name} ${why}`, name)];
}

function checkFile(name: string, stored: string | undefined, actual: string | null): readonly ValidationIssue[] {
  if (actual === null) return [issue('missing_file', `${name} is missing`, name)];
  if (stored === actual) return [];
  const why = stored === undefined ? 'is not covered by integrity.json' : 'is not the file that was sealed';
  return [issue('integrity_mismatch', `${name} ${why}`, name)];
}
