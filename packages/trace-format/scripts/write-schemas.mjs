// Writes schemas/ anew from the schemas that bundles are read with (src/schema/json-schemas.ts).
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'tsup';

const home = fileURLToPath(new URL('..', import.meta.url));
const outDir = mkdtempSync(join(tmpdir(), 'stepfork-schemas-'));
try {
  await build({
    entry: [join(home, 'src/schema/json-schemas.ts')],
    outDir,
    format: 'esm',
    target: 'node20',
    outExtension: () => ({ js: '.mjs' }),
    noExternal: [/.*/],
    silent: true,
    config: false,
    dts: false,
  });
  const { jsonSchemaFiles } = await import(pathToFileURL(join(outDir, 'json-schemas.mjs')).href);
  for (const [name, text] of Object.entries(jsonSchemaFiles())) {
    const file = join(home, 'schemas', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
} finally {
  rmSync(outDir, { recursive: true });
}
