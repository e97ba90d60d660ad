import { readFileSync } from 'node:fs';

/** Beyond this, more open files make nothing faster that could be measured. */
const MOST = 64;
/** Where the limit is not known. */
const USUAL = 16;
/** Of all that the process may have: the others are the agent's. */
const SHARE = 1 / 16;

let most: number | null = null;

/** How many files all writers of this process may hold open at once. */
export function mostDescriptors(): number {
  most ??= shareOf(limitOfProcess());
  return most;
}

export function shareOf(limit: number | null): number {
  return limit === null ? USUAL : Math.max(2, Math.min(MOST, Math.floor(limit * SHARE)));
}

/** What Linux says; other systems are not asked, as that would need a process. */
function limitOfProcess(): number | null {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}
