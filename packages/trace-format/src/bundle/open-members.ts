import { type Stats, statSync } from 'node:fs';
import { StepforkError } from '../errors.js';
import { directoryMembers } from './directory-members.js';
import { reading } from './files.js';
import { REQUIRED_FILES, requireBundlePath } from './layout.js';
import { missingFile } from './member.js';
import type { Members } from './members.js';
import { packedMembers } from './pack/packed-members.js';

/**
 * The members of what lies at a path, a directory or a packed bundle.
 *
 * @throws StepforkError `missing_bundle`; `invalid_pack` or `unsupported_schema` for a packed one; `read_failed` when
 * the system refuses
 */
export function openMembers(path: string): Members {
  const stats = lookUp(path);
  if (stats?.isDirectory() === true) return directoryMembers(path);
  const packed = stats?.isFile() === true ? packedMembers(path) : null;
  if (packed !== null) return packed;
  throw missingBundle(path, stats === undefined ? 'there is no such bundle' : 'not a directory, nor a packed bundle');
}

/**
 * The members of what is named as a bundle and holds the files of one.
 *
 * @throws StepforkError `not_a_bundle`, `missing_file`, and as `openMembers`
 */
export function openBundleMembers(path: string): Members {
  requireBundlePath(path);
  return requireFiles(openMembers(path));
}

/** The same members, if the files that a bundle must have are among them; else `missing_file`. */
export function requireFiles(members: Members): Members {
  const missing = missingFiles(members)[0];
  if (missing !== undefined) throw missingFile(members.path, missing);
  return members;
}

/** Required files that are not in the bundle, in the order in which they are read. */
export function missingFiles(members: Members): readonly string[] {
  return REQUIRED_FILES.filter((name) => !members.has(name));
}

/**
 * Makes sure that a path is a directory.
 *
 * @throws StepforkError `missing_bundle`, or `read_failed` when the system refuses to say
 */
export function requireDirectory(path: string): void {
  const stats = lookUp(path);
  if (stats?.isDirectory() === true) return;
  throw missingBundle(path, stats === undefined ? 'there is no such bundle' : 'not a directory');
}

function lookUp(path: string): Stats | undefined {
  return reading(path, () => statSync(path, { throwIfNoEntry: false }));
}

function missingBundle(path: string, what: string): StepforkError {
  return new StepforkError('missing_bundle', `${path}: ${what}`, { details: { file: path } });
}
