import { existsSync } from 'node:fs';

/** Whether anything of a bundle lies at the path. */
export function isThere(path: string): boolean {
  return existsSync(path);
}
