import type { ImportSuffix } from './case.js';
import { relativePath } from './relative-path.js';

/**
 * How a test in `folder` imports `file`. JavaScript files go by their own name; TypeScript files as the project's
 * habit has it, save that `.mts` and `.cts` are never found without a suffix.
 */
export function importSpecifier(folder: string, file: string, suffix: ImportSuffix): string {
  const path = relativePath(folder, file);
  const [, stem = path, kind = '', language = ''] = /^(.*)\.([cm]?)(tsx?)$/s.exec(path) ?? [];
  if (language === '' || suffix === 'ts') return path;
  return suffix === 'none' && kind === '' ? stem : `${stem}.${kind}js`;
}
