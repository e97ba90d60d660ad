import { dirname, join } from 'node:path';
import { fileStem } from './file-stem.js';

/** The folder beside a test in which its recording lies. */
const FOLDER = '__traces__';

/**
 * Where the recording of a test lies that is copied: in `__traces__` beside the test, or in a folder of the user's
 * choice, under the test's name.
 */
export function tracePlace(testFile: string, folder = join(dirname(testFile), FOLDER)): string {
  return join(folder, `${fileStem(testFile)}.sftrace`);
}

/** Whether a path as a test states it is that place beside it. */
export function isBesideTest(path: string, fileName: string): boolean {
  return path === `./${FOLDER}/${fileStem(fileName)}.sftrace`;
}
