import { basename, dirname, join } from 'node:path';
import { StepforkError } from '../errors.js';

/** What the name of every bundle ends in. */
export const BUNDLE_SUFFIX = '.sftrace';

/** The files a bundle must have, in the order in which they are checked and read. */
export const REQUIRED_FILES = ['manifest.json', 'events.jsonl', 'redactions.json'] as const;
/** What schema 0.1 has no field for; readers that do not know it ignore it. */
export const RUNTIME_FILE = 'runtime.jsonl';
export const INTEGRITY_FILE = 'integrity.json';

/** Folder of the bytes that were too many to stand in an event. */
export const BLOBS_FOLDER = 'blobs';

/** Largest blob that is written or read, in bytes. */
export const MAX_BLOB_BYTES = 1024 * 1024 * 1024;

/** Name of the member that holds a blob. */
export function blobMember(sha256: string): string {
  return `${BLOBS_FOLDER}/${sha256}`;
}

/** Longest line of events.jsonl that is written or read, in bytes. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

const PARTIAL_SUFFIX = `.partial${BUNDLE_SUFFIX}`;
const ASIDE_END = /^\.[A-Za-z0-9_-]{1,8}\.replaced$/;
const PARTIAL_NAME = /^(.+)\.([A-Za-z0-9_-]{1,8})\.partial\.sftrace$/s;

/** Whether a path is named as a bundle. `.sftrace` alone is a hidden file, and the suffix is case-sensitive. */
export function isBundlePath(path: string): boolean {
  const name = basename(path);
  return name.endsWith(BUNDLE_SUFFIX) && name.length > BUNDLE_SUFFIX.length;
}

/** Refuses a path that is not named as a bundle: `not_a_bundle`. */
export function requireBundlePath(path: string): void {
  if (isBundlePath(path)) return;
  throw new StepforkError('not_a_bundle', `${path}: the name of a trace bundle must end in '${BUNDLE_SUFFIX}'`, {
    details: { file: path },
  });
}

/** Where a bundle lies while its run goes on: beside its place, so that a rename finishes it. */
export function workPathFor(path: string, runId: string): string {
  return sibling(path, (stem) => `${stem}.${shortRunId(runId)}${PARTIAL_SUFFIX}`);
}

/** Where a bundle that is being replaced waits until the new one is in place. Hidden, and no bundle by name. */
export function asidePathFor(path: string, runId: string): string {
  return sibling(path, (stem) => `.${stem}.${shortRunId(runId)}.replaced`);
}

const PACKED_SUFFIX = `.packed${BUNDLE_SUFFIX}`;

/** Where a bundle is packed to unless something else is asked for. */
export function packedPathFor(path: string): string {
  return sibling(path, (stem) => `${stem}${PACKED_SUFFIX}`);
}

/** Where a packed bundle is unpacked to unless something else is asked for. */
export function unpackedPathFor(path: string): string {
  return basename(path).endsWith(PACKED_SUFFIX)
    ? `${path.slice(0, -PACKED_SUFFIX.length)}${BUNDLE_SUFFIX}`
    : sibling(path, (stem) => `${stem}.unpacked${BUNDLE_SUFFIX}`);
}

/** A replaced bundle that waits aside. */
export interface Aside {
  readonly path: string;
  /** Where its successor lies until it is in place. */
  readonly workPath: string;
}

/** Those among the `names` of a bundle's folder that are replaced bundles of its path. */
export function asidesOf(path: string, names: readonly string[]): readonly Aside[] {
  const stem = basename(path).slice(0, -BUNDLE_SUFFIX.length);
  return names
    .filter((name) => name.startsWith(`.${stem}.`) && ASIDE_END.test(name.slice(stem.length + 1)))
    .map((name) => ({
      path: join(dirname(path), name),
      workPath: join(dirname(path), `${name.slice(1, -'.replaced'.length)}${PARTIAL_SUFFIX}`),
    }));
}

/** Where a partial bundle belongs. */
export interface PartialTarget {
  /** The place it was meant for. */
  readonly path: string;
  /** A place beside it, should the first be taken. */
  readonly besides: string;
}

/** Where a partial bundle belongs; null for a path that is not named as one. */
export function partialTarget(workPath: string): PartialTarget | null {
  const match = PARTIAL_NAME.exec(basename(workPath));
  if (match === null) return null;
  const [, stem = '', shortRunId = ''] = match;
  const at = (name: string): string => join(dirname(workPath), `${name}${BUNDLE_SUFFIX}`);
  return { path: at(stem), besides: at(`${stem}.${shortRunId}`) };
}

/** Whether a path is named as a bundle that is being written, or was when its process died. */
export function isPartialPath(path: string): boolean {
  return PARTIAL_NAME.test(basename(path));
}

function sibling(path: string, rename: (stem: string) => string): string {
  return join(dirname(path), rename(basename(path).slice(0, -BUNDLE_SUFFIX.length)));
}

function shortRunId(runId: string): string {
  return (
    runId
      .replace(/^run_/, '')
      .replace(/[^A-Za-z0-9_-]/g, '-')
      .slice(0, 8) || 'run'
  );
}
