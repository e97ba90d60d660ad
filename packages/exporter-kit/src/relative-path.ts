import { isAbsolute, relative, sep } from 'node:path';

/** Path of `file` from `folder`, `/` separated and starting with a dot, as imports and people read it. */
export function relativePath(folder: string, file: string): string {
  const path = relative(folder, file);
  const portable = sep === '\\' ? path.replaceAll('\\', '/') : path;
  // Another drive on Windows: there is no relative path.
  if (isAbsolute(path)) return portable;
  return portable === '..' || portable.startsWith('../') ? portable : `./${portable}`;
}
