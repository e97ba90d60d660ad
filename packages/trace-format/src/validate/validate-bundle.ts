import { basename } from 'node:path';
import { DigestedMembers } from '../bundle/digested-members.js';
import { readManifest, readRedactions } from '../bundle/documents-reader.js';
import { bundleShapes, type ReadShape } from '../bundle/events-reader.js';
import { FullEvents } from '../bundle/full-events.js';
import { isBundlePath, isPartialPath } from '../bundle/layout.js';
import type { Members } from '../bundle/members.js';
import { missingFiles, openMembers } from '../bundle/open-members.js';
import { runtimeRecords } from '../bundle/runtime-reader.js';
import { isStepforkError, type StepforkError } from '../errors.js';
import { checkIntegrity } from './integrity.js';
import { issue, resultOf, type ValidationIssue, type ValidationResult } from './issue.js';
import { NamedBlobs } from './named-blobs.js';
import { checkPayloadHashes } from './payload-hashes.js';
import { StructureCheck } from './structure.js';

/** How strictly a bundle is checked. */
export interface ValidateBundleOptions {
  /** Ask for a finished run: one run_start, an error event where it failed. Default true. */
  readonly strict?: boolean;
  /** Also compare payload hashes and the digests in integrity.json. Default false. */
  readonly verifyIntegrity?: boolean;
}

/**
 * Checks a bundle on disk in one pass, at flat memory. Never throws: a bundle that cannot be read is a result with
 * the one issue that says why, its code being that of the error `loadTrace` throws (`missing_bundle` is
 * `missing_file` here).
 */
export function validateBundle(path: string, options: ValidateBundleOptions = {}): ValidationResult {
  try {
    const members = openMembers(path);
    return unreadable(members) ?? validateMembers(members, options);
  } catch (error) {
    if (!isStepforkError(error)) throw error;
    return resultOf([issueOf(error)], 'not_checked');
  }
}

/** What keeps the bundle from being read at all. Every missing file is named. */
function unreadable(members: Members): ValidationResult | null {
  const missing = missingFiles(members).map((name) => issue('missing_file', `${name} is missing`, name));
  if (missing.length > 0) return resultOf(missing, 'not_checked');
  if (isBundlePath(members.path)) return null;
  return resultOf(
    [issue('not_a_bundle', `${members.path}: the name of a bundle must end in '.sftrace'`)],
    'not_checked',
  );
}

function validateMembers(members: Members, options: ValidateBundleOptions): ValidationResult {
  if (options.verifyIntegrity !== true) return resultOf(contentIssues(members, options), 'not_checked');
  const digested = new DigestedMembers(members);
  const issues = contentIssues(digested, options);
  const integrity = checkIntegrity(digested);
  const told = new Set(issues.filter(isMissingBlob).map(({ location }) => location));
  const more = integrity.issues.filter((found) => !isMissingBlob(found) || !told.has(found.location));
  return resultOf([...issues, ...more], integrity.status);
}

function isMissingBlob({ code }: ValidationIssue): boolean {
  return code === 'missing_blob';
}

/** Reads every file of the bundle once, to its end. */
function contentIssues(members: Members, options: ValidateBundleOptions): readonly ValidationIssue[] {
  const { manifest, schema } = readManifest(members);
  const strict = options.strict !== false;
  // The provisional manifest of a run that goes on was written before its events.
  const count = strict || !isPartialPath(members.path);
  const structure = new StructureCheck(manifest, { strict, count });
  const blobs = new NamedBlobs(members);
  const full = new FullEvents();
  for (const read of bundleShapes(members, schema)) {
    const hashIssues = options.verifyIntegrity === true ? checkPayloadHashes(read.event, read) : [];
    const missing = [...blobs.missingIn(read), ...unresolvedIn(read, full)];
    structure.add(read.event, missing.length === 0 ? hashIssues : [...hashIssues, ...missing]);
  }
  readRedactions(members);
  const ofRecords: ValidationIssue[] = [];
  for (const record of runtimeRecords(members)) ofRecords.push(...blobs.missingInRecord(record));
  return [...structure.issues(), ...ofRecords];
}

/** What an event repeats that no earlier one says. */
function unresolvedIn(read: ReadShape, full: FullEvents): readonly ValidationIssue[] {
  try {
    full.check(read);
    return [];
  } catch (error) {
    if (!isStepforkError(error, 'unresolved_repeat')) throw error;
    return [{ ...issueOf(error), event_id: read.event.id, step: read.event.step }];
  }
}

function issueOf(error: StepforkError): ValidationIssue {
  const { file, line } = error.details;
  const name = typeof file === 'string' ? basename(file) : null;
  if (error.code === 'missing_bundle') return issue('missing_file', error.message);
  return issue(error.code, error.message, name !== null && typeof line === 'number' ? `${name}:${line}` : name);
}
