import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

// One build for every library package: each subpath in its package.json's `exports` is an entry,
// `./write` being `src/write.ts`. Types are built for all packages at once (tsup.types.ts).
const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, unknown> };
const entries = Object.keys(exports)
  .filter((subpath) => subpath !== './package.json')
  .map((subpath) => (subpath === '.' ? 'index' : subpath.slice(2)));

export default defineConfig({
  entry: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
  format: ['esm', 'cjs'],
  target: 'node20',
  platform: 'node',
  // Entries of one package share their modules' state in CommonJS too.
  splitting: true,
  // Declarations stay: tsup's clean leaves them to whoever builds them.
  clean: ['!**/*.d.{ts,cts}'],
  sourcemap: false,
  dts: false,
});
