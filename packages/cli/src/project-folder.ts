import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isBundlePath } from '@stepfork/trace-format/write';

/** What every bundle has, whatever its folder is called. */
const MEMBERS = ['manifest.json', 'events.jsonl'];

/**
 * The folder whose project's code may be run and whose packages may be loaded: the current directory, or else the one
 * around the bundle in which a command was started. What lies within a bundle is somebody else's.
 */
export function projectFolder(): string {
  const here = resolve('.');
  const bundle = outermostBundle(here);
  return bundle === null ? here : dirname(bundle);
}

/** Whether a folder is a bundle or lies within one. */
export function isInBundle(folder: string): boolean {
  return outermostBundle(resolve(folder)) !== null;
}

function outermostBundle(folder: string): string | null {
  const parent = dirname(folder);
  const around = parent === folder ? null : outermostBundle(parent);
  return around ?? (isBundle(folder) ? folder : null);
}

const isBundle = (folder: string): boolean =>
  isBundlePath(folder) ||
  MEMBERS.every((name) => statSync(join(folder, name), { throwIfNoEntry: false }) !== undefined);
