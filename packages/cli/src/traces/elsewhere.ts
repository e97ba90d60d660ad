import { readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isBundlePath } from '@stepfork/trace-format/write';
import { TRACES } from './folder.js';

/** Folders of a workspace in which its packages lie. */
const WORKSPACE = ['packages', 'apps'];

/** The nearest folder of recordings that is not here: in a package of this workspace, or above; null where there is none. */
export function tracesElsewhere(): string | null {
  const found = [...packages(), ...above(resolve())].map((folder) => join(folder, TRACES)).find(holdsBundles);
  return found === undefined ? null : relative('', found);
}

/** The folder of recordings of the project in another folder, which somebody named in its place; null where it has none. */
export function tracesBelow(folder: string): string | null {
  const below = join(folder, TRACES);
  return holdsBundles(below) ? below : null;
}

function above(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...above(parent)];
}

const packages = (): readonly string[] =>
  WORKSPACE.flatMap((folder) => entriesOf(folder).map((name) => join(folder, name)));

const holdsBundles = (folder: string): boolean => entriesOf(folder).some(isBundlePath);

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
