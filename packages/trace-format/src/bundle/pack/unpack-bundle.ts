import { closeSync, openSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { StepforkError } from '../../errors.js';
import { FILE_MODE, makeFreshDirectory, onFile, removeDirectory } from '../files.js';
import { BLOBS_FOLDER, requireBundlePath, unpackedPathFor } from '../layout.js';
import type { Members } from '../members.js';
import { openMembers, requireFiles } from '../open-members.js';
import { requireFree } from '../publish.js';
import { copyMember } from './copy-member.js';

/**
 * Writes the files of a packed bundle into a directory, byte for byte those that were packed.
 *
 * @param to where it goes; beside the file unless given, as `<stem>.sftrace` for `<stem>.packed.sftrace` and as
 * `<stem>.unpacked.sftrace` for any other name
 * @returns the directory's path, absolute
 * @throws StepforkError `not_a_bundle`, `missing_bundle`, `not_packed` for a directory, `invalid_pack` for a file that
 * was changed, of which then nothing is written, `unsupported_schema`, `missing_file`, `output_exists`, `write_failed`
 */
export function unpackBundle(file: string, to: string = unpackedPathFor(file)): string {
  const target = resolve(to);
  requireBundlePath(file);
  requireBundlePath(target);
  const members = requireFiles(openMembers(file));
  if (members.seals.size === 0) throw notPacked(file);
  requireFree(target);
  // Of this process alone: what another left behind when it was killed must not be in the way.
  const fresh = `${target}.${process.pid}.new`;
  removeDirectory(fresh);
  makeFreshDirectory(fresh);
  try {
    if (members.blobs().length > 0) makeFreshDirectory(join(fresh, BLOBS_FOLDER));
    for (const [name, digest] of members.seals) unpackMember(members, name, digest, fresh);
    onFile(target, 'renaming the unpacked bundle', () => renameSync(fresh, target));
  } catch (error) {
    removeDirectory(fresh);
    throw error;
  }
  return target;
}

/** Names are those that a packed bundle may hold, and no paths. */
function unpackMember(members: Members, name: string, digest: string, directory: string): void {
  const file = join(directory, name);
  const descriptor = onFile(file, 'writing', () => openSync(file, 'wx', FILE_MODE));
  try {
    if (!copyMember(members, { name, digest }, { file, descriptor })) throw changed(members.path, name);
  } finally {
    closeSync(descriptor);
  }
}

function changed(path: string, name: string): StepforkError {
  return new StepforkError('invalid_pack', `${path}: the packed bundle was changed: ${name} is not what was packed`, {
    details: { file: path },
  });
}

function notPacked(path: string): StepforkError {
  return new StepforkError('not_packed', `${path} is a directory already, no packed bundle`, {
    details: { file: path },
  });
}
