import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';

/** What installing a package puts on the disk. */
export interface Closure {
  readonly packages: number;
  readonly bytes: number;
}

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
}

/** The package whose folder is given, and all that it depends on. */
export function closureOf(folder: string): Closure {
  const seen = new Map<string, number>();
  visit(realpathSync(folder), seen);
  return { packages: seen.size, bytes: [...seen.values()].reduce((sum, bytes) => sum + bytes, 0) };
}

/** Where a package is found from `from`, whatever its `exports` hide. */
export function folderOf(name: string, from: string): string {
  for (const path of createRequire(join(from, 'package.json')).resolve.paths(name) ?? []) {
    try {
      return realpathSync(dirname(realpathSync(join(path, name, 'package.json'))));
    } catch {
      // Not in this one.
    }
  }
  throw new Error(`${name} is not installed beside ${from}`);
}

function visit(folder: string, seen: Map<string, number>): void {
  if (seen.has(folder)) return;
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  seen.set(folder, publishedBytes(folder, manifest));
  for (const name of Object.keys(manifest.dependencies ?? {})) visit(folderOf(name, folder), seen);
}

/** A workspace package's folder holds more than is published; an installed one's holds just that. */
function publishedBytes(folder: string, { files }: Manifest): number {
  const isInstalled = folder.split(sep).includes('node_modules');
  if (isInstalled || files === undefined) return bytesIn(folder);
  return ['package.json', 'README.md', ...files].reduce((sum, name) => sum + bytesIn(join(folder, name)), 0);
}

function bytesIn(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path)
    .filter((name) => name !== 'node_modules')
    .reduce((sum, name) => sum + bytesIn(join(path, name)), 0);
}
