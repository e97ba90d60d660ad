import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isBlobName } from '../blobs.js';
import { StepforkError } from '../errors.js';
import { kindAt, reading } from './files.js';
import { BLOBS_FOLDER } from './layout.js';
import type { Members, OpenMember } from './members.js';

/**
 * The files in a directory. It may come from anywhere: a member must be a regular file, and a link must stay inside
 * the bundle.
 */
export function directoryMembers(path: string): Members {
  return {
    path,
    seals: new Map(),
    has: (name) => kindAt(join(path, name)) !== 'nothing',
    blobs: () => blobsIn(join(path, BLOBS_FOLDER)),
    open: (name) => openFile(path, name),
  };
}

function blobsIn(folder: string): readonly string[] {
  if (kindAt(folder) !== 'directory') return [];
  return reading(folder, () => readdirSync(folder))
    .filter(isBlobName)
    .sort();
}

function openFile(bundle: string, name: string): OpenMember | null {
  const file = join(bundle, name);
  if (kindAt(file) === 'nothing') return null;
  const real = reading(file, () => {
    const target = realpathSync(file);
    if (!target.startsWith(realpathSync(bundle) + sep)) throw notAFile(file, 'is a link that leaves the bundle');
    return target;
  });
  const opened = openRegularFile(real, file);
  if (opened === null) throw notAFile(file, 'is not a regular file');
  const { descriptor, size } = opened;
  return {
    file,
    size,
    read: (buffer, offset, length) => reading(file, () => readSync(descriptor, buffer, offset, length, null)),
    close: () => closeSync(descriptor),
  };
}

/** An open regular file. */
export interface OpenFile {
  readonly descriptor: number;
  readonly size: number;
}

/**
 * Opens a file for reading, if it is a regular one.
 *
 * @param file how messages name it
 */
export function openRegularFile(path: string, file: string): OpenFile | null {
  return reading(file, () => {
    // Opening a named pipe would wait for its other end.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(descriptor);
    if (stats.isFile()) return { descriptor, size: stats.size };
    closeSync(descriptor);
    return null;
  });
}

function notAFile(path: string, why: string): StepforkError {
  return new StepforkError('missing_file', `${path} ${why}`, { details: { file: path } });
}
