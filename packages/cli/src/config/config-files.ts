import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isInBundle } from '../project-folder.js';

/** Forms that are code. */
const MODULES = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((suffix) => `stepfork.config.${suffix}`);
const JSON_FILE = 'stepfork.config.json';
/** Holds one under the key `stepfork`. */
export const PACKAGE_FILE = 'package.json';

/** Whether a configuration is from a file that holds data, by the name that it is told by. */
export function isDataFile(name: string): boolean {
  return name === JSON_FILE || name.startsWith(PACKAGE_FILE);
}

export interface ConfigFiles {
  readonly modules: readonly string[];
  /** `package.json` is one of them whether or not it holds a configuration. */
  readonly data: readonly string[];
}

/**
 * The files of a folder that may configure the program. None within a bundle: what lies there is somebody else's.
 */
export function configFilesIn(folder: string): ConfigFiles {
  if (isInBundle(folder)) return { modules: [], data: [] };
  const isThere = (name: string): boolean => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() === true;
  return { modules: MODULES.filter(isThere), data: [JSON_FILE, PACKAGE_FILE].filter(isThere) };
}
