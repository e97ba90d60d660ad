import { readFileSync } from 'node:fs';
import { type BlobReader, StepforkError } from '@stepfork/trace-format/write';
import type { Member } from './members.js';

const FOLDER = 'blobs/';

/** Whether a member is one of a bundle's blobs. */
export function isBlobFile({ name }: Member): boolean {
  return name.startsWith(FOLDER);
}

/** The blobs of a bundle that was found sound. */
export function blobFiles(members: readonly Member[]): BlobReader {
  const paths = new Map(members.filter(isBlobFile).map(({ name, path }) => [name.slice(FOLDER.length), path]));
  return {
    has: (digest) => paths.has(digest),
    read: (digest) => {
      const path = paths.get(digest);
      if (path !== undefined) return readFileSync(path);
      throw new StepforkError('missing_blob', `blob '${digest}' is not in the bundle`, { details: { blob: digest } });
    },
  };
}
