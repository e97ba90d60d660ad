import { onTestFinished } from 'vitest';
import { remove, temporaryFolder } from './temporary-folder.js';

/** A new empty folder for the running test alone. */
export function testFolder(name: string): string {
  const folder = temporaryFolder(name);
  onTestFinished(() => remove(folder));
  return folder;
}
