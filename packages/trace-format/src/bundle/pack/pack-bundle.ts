import { Buffer } from 'node:buffer';
import { closeSync, openSync, renameSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { StepforkError } from '../../errors.js';
import { DigestedMembers } from '../digested-members.js';
import { directoryMembers } from '../directory-members.js';
import { readManifest } from '../documents-reader.js';
import { FILE_MODE, onFile, removeFile } from '../files.js';
import { blobMember, packedPathFor, REQUIRED_FILES, requireBundlePath } from '../layout.js';
import type { Members } from '../members.js';
import { requireDirectory, requireFiles } from '../open-members.js';
import { requireFree } from '../publish.js';
import { base64Length } from './base64-text.js';
import { copyMember, write } from './copy-member.js';
import { formatHeader, isBlobMember, PACKED_FILES, type PackEntry, separatorOf } from './pack-header.js';

/**
 * Writes a bundle's files into one text file, which is accepted wherever a bundle is: for a ticket, a pull request,
 * or a repository whose formatter rewrites .json files. Events stay one a line. Files that are no part of the format
 * are left behind; the bundle itself stays.
 *
 * @param to where it goes; `<stem>.packed.sftrace` beside the bundle unless given
 * @returns the packed file's path, absolute
 * @throws StepforkError `not_a_bundle`, `missing_bundle`, `missing_file`, `output_exists`, `bundle_changed` when a run
 * writes to it meanwhile, `write_failed`, and the codes of `loadTrace` for a manifest that cannot be read
 */
export function packBundle(path: string, to: string = packedPathFor(path)): string {
  const target = resolve(to);
  requireBundlePath(path);
  requireBundlePath(target);
  requireDirectory(path);
  const members = requireFiles(directoryMembers(path));
  readManifest(members);
  requireFree(target);
  // Of this process alone: what another left behind when it was killed must not be in the way.
  const fresh = `${target}.${process.pid}.new`;
  removeFile(fresh);
  const descriptor = onFile(fresh, 'writing', () => openSync(fresh, 'wx', FILE_MODE));
  try {
    writePack(members, fresh, descriptor);
    onFile(target, 'renaming the packed bundle', () => renameSync(fresh, target));
  } catch (error) {
    removeFile(fresh);
    throw error;
  }
  return target;
}

function writePack(members: Members, file: string, descriptor: number): void {
  const output = { file, descriptor };
  try {
    const entries = entriesOf(members);
    write(output, Buffer.from(formatHeader(entries)));
    for (const entry of entries) {
      write(output, separatorOf(entry.name));
      if (!copyMember(members, entry, output, isBlobMember(entry.name))) throw changed(members.path, entry.name);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Each member there is, with size and digest. */
function entriesOf(members: Members): readonly PackEntry[] {
  const digested = new DigestedMembers(members);
  const files = PACKED_FILES.flatMap((name): PackEntry[] => {
    // One that must be there says itself what is wrong with it: a link that leaves the bundle, a directory.
    if (REQUIRED_FILES.some((required) => required === name)) digested.open(name)?.close();
    const known = digested.measure(name);
    return known === null ? [] : [{ name, ...known }];
  });
  const blobs = members.blobs().flatMap((digest): PackEntry[] => {
    const name = blobMember(digest);
    const known = digested.measure(name);
    return known === null ? [] : [{ name, digest: known.digest, size: base64Length(known.size) }];
  });
  return [...files, ...blobs];
}

function changed(bundle: string, name: string): StepforkError {
  return new StepforkError(
    'bundle_changed',
    `${bundle}: ${name} was written to while it was packed; pack it when the run is over`,
    { details: { file: bundle } },
  );
}
