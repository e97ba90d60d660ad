import { appendFileSync, existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const LINE = '*.sftrace -text';
const EXEMPT = /^[ \t]*(?:\*\*\/)?\*\.sftrace[ \t](?:.*[ \t])?(?:-text|binary)[ \t]*(?:[ \t].*)?$/m;

/**
 * Has git keep the bytes of the recordings in a folder, whatever it makes of line ends: their digests cover exact
 * bytes. Adds to the folder's `.gitattributes` what neither it nor one above it says, up to the repository's own.
 *
 * @returns the path of the file written; null where there was nothing to add, or a link stands there: what it leads to
 * is somebody else's
 */
export function exemptFromGit(folder: string): string | null {
  const file = join(resolve(folder), '.gitattributes');
  if (folders(resolve(folder)).some((each) => EXEMPT.test(textOf(join(each, '.gitattributes'))))) return null;
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) return null;
  const present = textOf(file);
  appendFileSync(file, `${present === '' || present.endsWith('\n') ? '' : '\n'}${LINE}\n`);
  return file;
}

/** The folder and those above it, to the root of the repository, or of the disk. */
function folders(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder || existsSync(join(folder, '.git')) ? [folder] : [folder, ...folders(above)];
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
