import { readFileSync } from 'node:fs';
import { createPackageFromTarballData, type Package } from '@arethetypeswrong/core';
import type { PackedPackage } from './pack.js';

/** What lies in the tarball of a packed package; paths begin with `/node_modules/<name>/`. */
export function openTarball({ file }: PackedPackage): Package {
  return createPackageFromTarballData(readFileSync(file));
}

/** The text of one file of a packed package. */
export function textInTarball(packed: PackedPackage, path: string): string {
  return openTarball(packed).readFile(`/node_modules/${packed.manifest.name}/${path}`);
}
