import { lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { newRunId } from '@stepfork/trace-format/write';

/** Hidden, and no bundle by name: whatever a killed process leaves of it is rubbish, and known as such. */
const ASIDE = /^\..+\.sftrace\.[0-9a-f]{8}\.pruned$/s;

/**
 * Removes a bundle, which is renamed first: it is there whole or it is gone, at whatever point the process dies.
 *
 * @returns null, or one line saying why it is still there
 */
export function removeBundle(path: string): string | null {
  const aside = join(dirname(path), `.${basename(path).slice(0, 200)}.${newRunId().slice(4, 12)}.pruned`);
  try {
    renameSync(path, aside);
    rmSync(aside, { recursive: true, force: true });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Removes what pruning left behind when its process was killed. */
export function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => ASIDE.test(each))) {
    const path = join(folder, name);
    if (!isLink(path)) rmSync(path, { recursive: true, force: true });
  }
}

export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
