import fs from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { goOn, type Patches } from '../guard/patches.js';
import type { Tell } from './observe.js';

/** Take no path but a descriptor, or are no access to a file. */
const NOT_OF_PATHS =
  /^(?:close|fsync|fdatasync|fstat|fchmod|fchown|ftruncate|futimes|read|readv|write|writev)(?:Sync)?$/;

/** Every function of `fs` that is given a path, and those of `fs.promises`. */
export function patchFiles(patches: Patches, tell: Tell): void {
  for (const [owner, prefix] of [
    [fs, 'fs.'],
    [fs.promises, 'fs.promises.'],
  ] as const) {
    for (const name of Object.keys(owner)) {
      if (!/^[a-z]/.test(name) || NOT_OF_PATHS.test(name)) continue;
      if (typeof Reflect.get(owner, name) !== 'function') continue;
      patches.wrap(owner, name, function called(native, self, args) {
        tell('files', `${prefix}${name}${pathText(args[0])}`, called);
        return goOn(native, self, args);
      });
    }
  }
}

/** ` config.json`, from the working directory; nothing for what is no path. */
function pathText(path: unknown): string {
  if (typeof path === 'string') return ` ${shortened(path)}`;
  if (isFileUrl(path)) return ` ${shortened(fileURLToPath(path))}`;
  return '';
}

/** Of whatever realm. */
function isFileUrl(value: unknown): value is URL {
  return Object.prototype.toString.call(value) === '[object URL]' && (value as URL).protocol === 'file:';
}

function shortened(path: string): string {
  const below = relative(process.cwd(), path);
  return below === '' || below.startsWith('..') ? path : below;
}
