import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root folder. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');

/** The `stepfork` command as built in this checkout. */
export const STEPFORK = join(ROOT, 'packages/cli/bin/stepfork.js');

/** The package manager that the repository pins. */
export const PNPM = join(ROOT, 'node_modules/pnpm/bin/pnpm.cjs');

/** Larger matrices and counts, for before an issue is called done. */
export const FULL = process.env.STEPFORK_FULL === '1';

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface WorkspacePackage {
  /** `packages/recorder`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

export function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

function packagesIn(parent: string): readonly WorkspacePackage[] {
  return readdirSync(join(ROOT, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${parent}/${entry.name}`)
    .sort()
    .map((folder) => ({ folder, manifest: readJson<Manifest>(join(ROOT, folder, 'package.json')) }));
}

/** What is published. */
export const publicPackages = (): readonly WorkspacePackage[] =>
  packagesIn('packages').filter(({ manifest }) => manifest.private !== true);

export const examples = (): readonly WorkspacePackage[] => packagesIn('examples');
