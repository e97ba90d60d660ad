import { readdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { StepforkError } from '../errors.js';
import type { RunStatus } from '../event.js';
import { verifyIntegrity } from '../validate/integrity.js';
import { removeHalfWrittenBlobs } from './blob-folder.js';
import { isBusy } from './busy.js';
import { DigestedMembers } from './digested-members.js';
import { directoryMembers } from './directory-members.js';
import { integrityText, manifestText, type RedactionEntry, redactionsText } from './documents.js';
import { type ReadManifest, readManifest, readRedactions } from './documents-reader.js';
import { lineEvent } from './events-reader.js';
import { kindAt, onFile, removeFile, replaceFile } from './files.js';
import { FullEvents } from './full-events.js';
import {
  blobMember,
  INTEGRITY_FILE,
  type PartialTarget,
  partialTarget,
  REQUIRED_FILES,
  RUNTIME_FILE,
  requireBundlePath,
} from './layout.js';
import { requireDirectory } from './open-members.js';
import { removeAsides } from './publish.js';
import { RecoveredRun } from './recovered-run.js';
import { runtimeLineReader } from './runtime-reader.js';
import { type DroppedLine, ensureFile, repairEnd } from './torn-line.js';
import { unmarkWriting, writerOf } from './writing-mark.js';

/** What became of a leftover. */
export interface RecoveredBundle {
  /** Where the bundle lies now. */
  readonly path: string;
  readonly run_id: string;
  readonly status: RunStatus;
  readonly events: number;
  /** Torn last lines that were cut off: at most one in each file. */
  readonly dropped: readonly DroppedLine[];
}

/**
 * Turns the `.partial.sftrace` that a process left behind when it died into a valid bundle, and puts it into the
 * place it was meant for; if another bundle lies there, beside it, as `<stem>.<8 of run id>.sftrace`. Call it when
 * the process is gone. A bundle that is whole already is left as it is.
 *
 * @throws StepforkError `missing_bundle`, `not_a_bundle`, `not_partial` for a bundle that is neither a leftover nor
 * verifies, `output_busy` while a process writes it, `output_exists`, `write_failed`, and the codes of `loadTrace`
 * for damage that a dying process does not do
 */
export function recoverBundle(path: string): RecoveredBundle {
  const work = resolve(path);
  requireBundlePath(work);
  requireDirectory(work);
  if (isBusy(work)) throw busy(path, 'the run is still being recorded');
  const writer = writerOf(work);
  if (writer !== null && writer !== process.pid) throw busy(path, `process ${writer} is still recording the run`);
  const read = readManifest(directoryMembers(work));
  const target = partialTarget(work);
  const isWhole = isSealed(work);
  if (target === null) {
    if (!isWhole) throw notPartial(path);
    removeAsides(work);
    return report(work, read, []);
  }
  const dropped = isWhole ? [] : repair(work, read);
  unmarkWriting(work);
  const place = putInPlace(work, target);
  return report(place, readManifest(directoryMembers(place)), dropped);
}

function busy(path: string, why: string): StepforkError {
  return new StepforkError('output_busy', `${path}: ${why}; recover it when that has ended`, {
    details: { file: path },
  });
}

function isSealed(bundle: string): boolean {
  return verifyIntegrity(bundle).status === 'verified';
}

function notPartial(path: string): StepforkError {
  return new StepforkError(
    'not_partial',
    `${path} is not a leftover of a run ('….partial.sftrace'): there is nothing to recover`,
    { details: { file: path } },
  );
}

function report(path: string, { manifest }: ReadManifest, dropped: readonly DroppedLine[]): RecoveredBundle {
  const { run_id, status, totals } = manifest;
  return { path, run_id, status, events: totals.events, dropped };
}

/** Repairs the files in place. Every step can be repeated, should this process die too. */
function repair(work: string, { manifest, schema }: ReadManifest): readonly DroppedLine[] {
  const run = new RecoveredRun();
  const full = new FullEvents();
  const events = join(work, 'events.jsonl');
  const runtime = join(work, RUNTIME_FILE);
  removeHalfWritten(work);
  ensureFile(events);
  const dropped = [
    repairEnd(events, (bytes, number) => {
      run.add(full.next(lineEvent({ bytes, number }, schema, events)));
    }),
    repairEnd(runtime, runtimeLineReader(runtime)),
  ];
  replaceFile(join(work, 'redactions.json'), redactionsText(redactionsOf(work, run)));
  replaceFile(join(work, 'manifest.json'), manifestText(run.complete(manifest)));
  seal(work);
  return dropped.filter((line) => line !== null);
}

/** The list that finishing had written, or what the events tell. */
function redactionsOf(work: string, run: RecoveredRun): readonly RedactionEntry[] {
  try {
    const written = readRedactions(directoryMembers(work));
    return written.length > 0 ? written : run.redactions;
  } catch {
    return run.redactions;
  }
}

function removeHalfWritten(work: string): void {
  for (const name of readdirSync(work)) {
    if (name.endsWith('.new')) removeFile(join(work, name));
  }
  removeHalfWrittenBlobs(work);
}

function seal(work: string): void {
  const members = new DigestedMembers(directoryMembers(work));
  const runtime = kindAt(join(work, RUNTIME_FILE)) === 'file' ? [RUNTIME_FILE] : [];
  const names = [...REQUIRED_FILES, ...runtime, ...members.blobs().map(blobMember)];
  const digests = new Map(names.map((name) => [name, members.digest(name) ?? '']));
  replaceFile(join(work, INTEGRITY_FILE), integrityText(digests));
}

/** @returns where the bundle lies now */
function putInPlace(work: string, target: PartialTarget): string {
  const free = [target.path, target.besides].find((path) => kindAt(path) === 'nothing');
  if (free === undefined) {
    throw new StepforkError('output_exists', `${target.path} and ${target.besides} exist already`, {
      details: { file: target.path },
    });
  }
  onFile(free, 'renaming the recovered bundle', () => renameSync(work, free));
  // The process may have died between the two renames of a replacement: this was the second.
  if (free === target.path) removeAsides(free);
  return free;
}
