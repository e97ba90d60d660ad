import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packBundle } from '../../src/index.js';
import { temporaryFolder } from '../support/bundle-files.js';
import { writeLargeBundle } from './large-bundle.js';

const MEGABYTES = process.env.STEPFORK_FULL === '1' ? 1000 : 48;
/**
 * What a reader may take, whatever the size of the bundle, and for each event (its id, for duplicates). The engine
 * alone takes some 45 MB of it.
 */
const BASE_MB = 80;
const BYTES_PER_EVENT = 64;
const PATIENCE_MS = 600_000;

const buildFolder = mkdtempSync(join(tmpdir(), 'stepfork-size-'));
const program = join(buildFolder, 'reading-child.mjs');

beforeAll(async () => {
  await build({
    entry: [fileURLToPath(new URL('./reading-child.ts', import.meta.url))],
    outDir: buildFolder,
    outExtension: () => ({ js: '.mjs' }),
    noExternal: [/.*/],
    ...{ format: 'esm', target: 'node20', silent: true, config: false, dts: false },
  });
});

afterAll(() => rmSync(buildFolder, { recursive: true }));

interface Read {
  readonly valid: boolean;
  readonly integrity: string;
  readonly events: number;
  readonly rssMb: number;
}

const read = (path: string): Read =>
  JSON.parse(execFileSync(process.execPath, [program, path], { encoding: 'utf8' })) as Read;

describe(`a bundle of ${MEGABYTES} MB`, () => {
  it(
    'is validated, verified and read at flat memory, as a directory and packed',
    () => {
      const path = join(temporaryFolder(), 'large.sftrace');
      const events = writeLargeBundle(path, MEGABYTES);
      for (const bundle of [path, packBundle(path)]) {
        const { rssMb, ...found } = read(bundle);
        expect(found).toEqual({ valid: true, integrity: 'verified', events });
        expect(rssMb).toBeLessThan(BASE_MB + (events * BYTES_PER_EVENT) / 1024 / 1024);
      }
    },
    PATIENCE_MS,
  );
});
