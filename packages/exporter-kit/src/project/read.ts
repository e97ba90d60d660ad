import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The text of a file, or null where there is none that can be read. */
export function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The entries of a folder by name; empty where it cannot be read. */
export function readFolder(folder: string): { readonly files: readonly string[]; readonly folders: readonly string[] } {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    return {
      files: entries.filter((entry) => entry.isFile()).map((entry) => entry.name),
      folders: entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name),
    };
  } catch {
    return { files: [], folders: [] };
  }
}

/** `folder` and the folders above it, nearest first. */
export function upward(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upward(above)];
}

/** The first file of this name in `folder` or above. */
export function findUpward(folder: string, name: string): { readonly file: string; readonly text: string } | null {
  for (const candidate of upward(folder)) {
    const file = join(candidate, name);
    const text = readText(file);
    if (text !== null) return { file, text };
  }
  return null;
}
