import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '@stepfork/trace-format/write';

/**
 * A run is kept by an empty file of its id's name in a folder `.kept` beside its bundle. Not in the bundle, whose seal
 * stays as it is; and by run and not by name, so that it holds for the bundle scrubbed, packed, recovered or renamed.
 */
const KEPT = '.kept';

/** Whether runs of a folder are kept; the folder is looked into once. */
export function keptRuns(folder: string): (runId: string) => boolean {
  const names = new Set(namesIn(join(folder, KEPT)));
  return (runId) => names.has(markerOf(runId));
}

/** @returns whether that was news */
export function keep(bundle: string, runId: string): boolean {
  const folder = join(dirname(bundle), KEPT);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(folder, markerOf(runId)), '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** @returns whether that was news */
export function keepNoLonger(bundle: string, runId: string): boolean {
  const wasKept = keptRuns(dirname(bundle))(runId);
  rmSync(join(dirname(bundle), KEPT, markerOf(runId)), { force: true });
  return wasKept;
}

/** Ids of our own are names; one from elsewhere may hold a path, or be longer than a name may be. */
const markerOf = (runId: string): string => (/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(runId) ? runId : sha256(runId));

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
