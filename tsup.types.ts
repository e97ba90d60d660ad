import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

// The declarations of all packages in one program: a fifth of the time of a program each. What two entries of one
// package share lands beside the packages; scripts/build-types.mjs moves it into the package.
interface Manifest {
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
}

function entriesOf(name: string): readonly (readonly [output: string, source: string])[] {
  const manifest = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8')) as Manifest;
  if (manifest.private) return [];
  const subpaths = Object.keys(manifest.exports ?? {}).filter((subpath) => subpath !== './package.json');
  const files = subpaths.map((subpath) => (subpath === '.' ? 'index' : subpath.slice(2)));
  return files.map((file) => [`${name}/dist/${file}`, `packages/${name}/src/${file}.ts`]);
}

export default defineConfig({
  entry: Object.fromEntries(readdirSync('packages').flatMap(entriesOf)),
  outDir: 'packages',
  format: ['esm', 'cjs'],
  dts: { only: true },
  external: [/^@stepfork\//, /^node:/, 'vitest', '@jest/globals', '@jest/expect', 'zod'],
  clean: false,
});
