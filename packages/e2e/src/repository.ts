import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './workspace.js';

/** Folders that are made, not written. */
const MADE = new Set(['.git', 'node_modules', 'dist', 'coverage', '.turbo', '.stepfork', '.demo', '.cache']);
const TEXT = /\.(md|ts|mts|cts|js|mjs|cjs|json|jsonl|ya?ml|sh|txt)$|(^|\/)(run|LICENSE|NOTICE|\.[\w.]+)$/;

export interface TextFile {
  /** From the root, `/` separated. */
  readonly path: string;
  readonly text: string;
}

/** Every text file of the repository that somebody wrote. */
export function textFiles(): readonly TextFile[] {
  return pathsBelow('')
    .filter((path) => TEXT.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

function pathsBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return MADE.has(entry.name) ? [] : pathsBelow(path);
    return entry.isFile() ? [path] : [];
  });
}
