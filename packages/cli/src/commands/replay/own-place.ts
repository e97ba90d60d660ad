import { type BigIntStats, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isBundlePath, StepforkError } from '@stepfork/trace-format/write';
import { glanceAt, isRun } from '../../traces/glance.js';

/**
 * Refuses to record a replay over the recording that it replays, by whatever path or link the two are named, and over
 * that recording in its other form, packed or not. What was recorded would be lost for what the code does now.
 *
 * @throws StepforkError `usage`
 */
export function requireOtherPlace(bundle: string, record: string): void {
  const [from, to] = [placeOf(bundle), placeOf(record)];
  if (from === null || to === null) return;
  const isSame = from.dev === to.dev && from.ino === to.ino;
  if (!isSame && (runIdOf(bundle) === null || runIdOf(bundle) !== runIdOf(record))) return;
  throw new StepforkError(
    'usage',
    `'${record}' ${isSame ? 'is' : 'holds'} the recording that is replayed, which would be lost. Name another place with --record.`,
    { details: { file: record } },
  );
}

/** In full: numbers of files may be larger than a number holds. */
const placeOf = (path: string): BigIntStats | null => statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;

function runIdOf(path: string): string | null {
  if (!isBundlePath(path)) return null;
  const glance = glanceAt(dirname(path), basename(path));
  return isRun(glance) ? glance.run_id : null;
}
