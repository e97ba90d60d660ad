import { extname } from 'node:path';
import type { RenderTarget } from '../case.js';

/** Whether a test can import the module that is a project's configuration, by what its name says that it is. */
export function isImportable(configFile: string, { typescript, module }: RenderTarget): boolean {
  const extension = extname(configFile);
  const fits = module === 'cjs' ? ['.ts', '.cts', '.js', '.cjs'] : ['.ts', '.mts', '.js', '.mjs', '.cjs'];
  return fits.includes(extension) && typescript === extension.endsWith('ts');
}
