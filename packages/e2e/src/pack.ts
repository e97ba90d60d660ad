import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { runNode } from './run.js';
import { type Manifest, PNPM, publicPackages, ROOT } from './workspace.js';

export interface PackedPackage {
  readonly manifest: Manifest;
  readonly file: string;
  /** Paths inside the package. */
  readonly contents: readonly string[];
  /** As npm writes it: `sha512-…`. */
  readonly integrity: string;
}

/** Packs every public package as it would be published. */
export async function packAll(folder: string): Promise<readonly PackedPackage[]> {
  const filters = publicPackages().flatMap(({ manifest }) => ['--filter', manifest.name]);
  const packing = await runNode([PNPM, '-r', ...filters, 'pack', '--pack-destination', folder], { cwd: ROOT });
  if (packing.exit !== 0) throw new Error(`pnpm pack failed:\n${packing.output}`);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => describe(join(folder, name)));
}

function describe(file: string): PackedPackage {
  const bytes = readFileSync(file);
  const entries = [...tarEntries(gunzipSync(bytes))];
  const manifest = entries.find(({ path }) => path === 'package.json');
  if (manifest === undefined) throw new Error(`no package.json in ${file}`);
  return {
    manifest: JSON.parse(manifest.content.toString('utf8')) as Manifest,
    file,
    contents: entries.map(({ path }) => path).sort(),
    integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
  };
}

const BLOCK = 512;

/** The files of a tar archive; their paths without the leading `package/`. */
function* tarEntries(archive: Buffer): Generator<{ path: string; content: Buffer }> {
  const text = (from: number, length: number): string =>
    archive.toString('utf8', from, from + length).replace(/\0.*$/s, '');
  for (let at = 0; archive[at] !== 0 && at < archive.length; ) {
    const size = Number.parseInt(text(at + 124, 12).trim(), 8);
    const prefix = text(at + 345, 155);
    const path = `${prefix === '' ? '' : `${prefix}/`}${text(at, 100)}`;
    yield { path: path.replace(/^package\//, ''), content: archive.subarray(at + BLOCK, at + BLOCK + size) };
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}
