import type { Run, Unreadable } from '../../traces/glance.js';
import { formatAge, formatSize } from '../../traces/units.js';

/** When a run goes: when any of these says so. */
export interface Limits {
  /** How many of the newest stay. */
  readonly keepLast?: number | undefined;
  /** In milliseconds. */
  readonly olderThan?: number | undefined;
  /** In bytes, of all that is looked at. */
  readonly maxSize?: number | undefined;
}

export interface Doomed {
  readonly run: Run;
  /** What said so, a few words each. */
  readonly reasons: readonly string[];
}

/** What a limit would have go and what stays all the same. */
export interface Spared {
  readonly path: string;
  readonly why: string;
}

export interface PrunePlan {
  /** Newest first. */
  readonly doomed: readonly Doomed[];
  readonly spared: readonly Spared[];
}

/** A run that writes nothing for so long has no process any more, in all likelihood. */
const SETTLED_MS = 3_600_000;

/**
 * Which runs go. Those that stay in any case are no part of the newest that `keepLast` counts, but take up room.
 *
 * @param runs newest first
 * @param isSparing why a run stays whatever the limits say, or null
 */
export function planPrune(
  runs: readonly Run[],
  limits: Limits,
  now: number,
  isSparing: (run: Run) => string | null,
): PrunePlan {
  const doomed: Doomed[] = [];
  const spared: Spared[] = [];
  let rank = 0;
  let room = (limits.maxSize ?? Number.POSITIVE_INFINITY) - sizeOf(runs.filter((run) => isSparing(run) !== null));
  for (const run of runs) {
    const why = isSparing(run);
    if (why === null) {
      rank++;
      room -= run.size;
    }
    // One that stays is told of where it would go if it counted.
    const reasons = reasonsFor(run, limits, now, { rank: why === null ? rank : rank + 1, room });
    if (reasons.length === 0) continue;
    if (why === null) doomed.push({ run, reasons });
    else spared.push({ path: run.path, why });
  }
  return { doomed, spared };
}

function reasonsFor(
  { createdAt }: Run,
  { keepLast, olderThan, maxSize }: Limits,
  now: number,
  { rank, room }: { readonly rank: number; readonly room: number },
): readonly string[] {
  return [
    ...(keepLast !== undefined && rank > keepLast ? [`not of the newest ${keepLast}`] : []),
    ...(olderThan !== undefined && now - createdAt > olderThan ? [`older than ${formatAge(olderThan)}`] : []),
    ...(maxSize !== undefined && room < 0 ? [`beyond ${formatSize(maxSize)}`] : []),
  ];
}

export const KEPT = 'it is kept';

/** Why a run is not for this command to remove, whatever its age; null when it is. */
export function whySpared(run: Run, now: number, isKept: (runId: string) => boolean, isLink: boolean): string | null {
  if (isKept(run.run_id)) return KEPT;
  if (isLink) return 'it is a link to somewhere else';
  if (run.unfinished && now - run.writtenAt < SETTLED_MS) {
    return `it may still be recorded: it was written to ${formatAge(now - run.writtenAt)} ago`;
  }
  return null;
}

/** What is named as a bundle and shows no run may be anything. */
export const spareUnreadable = ({ path, reason }: Unreadable): Spared => ({ path, why: `no bundle: ${reason}` });

export const sizeOf = (runs: readonly Run[]): number => runs.reduce((sum, { size }) => sum + size, 0);
