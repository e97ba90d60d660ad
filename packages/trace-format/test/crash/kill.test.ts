import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadTrace, recoverBundle, type Trace, validateBundle } from '../../src/index.js';
import { temporaryFolder } from '../support/bundle-files.js';
import { Random } from '../support/random.js';

const KILLS = process.env.STEPFORK_FULL === '1' ? 1000 : 50;
/** A busy machine is no failure. */
const PATIENCE_MS = 180_000;
const PER_TEST = 10;

/** What the child had told when it died. */
interface Told {
  /** Run id to the ids of the events whose call had returned, in order. */
  readonly events: ReadonlyMap<string, readonly string[]>;
  readonly finished: readonly string[];
}

const buildFolder = mkdtempSync(join(tmpdir(), 'stepfork-crash-'));
const program = join(buildFolder, 'writing-child.mjs');

beforeAll(async () => {
  await build({
    entry: [fileURLToPath(new URL('./writing-child.ts', import.meta.url))],
    outDir: buildFolder,
    outExtension: () => ({ js: '.mjs' }),
    ...{ format: 'esm', target: 'node20', silent: true, config: false, dts: false },
  });
});

afterAll(() => rmSync(buildFolder, { recursive: true }));

/** Runs the child and kills it some milliseconds after its first word. */
function runAndKill(path: string, afterMs: number): Promise<Told> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.on('data', (data: Buffer) => {
      if (output === '') setTimeout(() => child.kill('SIGKILL'), afterMs);
      output += data.toString();
    });
    child.stderr.on('data', (data: Buffer) => {
      errors += data.toString();
    });
    child.on('close', (_code, signal) => {
      if (signal === 'SIGKILL') resolve(toldBy(output));
      else reject(new Error(`the child ended by itself: ${errors}`));
    });
  });
}

function toldBy(output: string): Told {
  const events = new Map<string, string[]>();
  const finished: string[] = [];
  for (const line of output.split('\n').slice(0, -1)) {
    const [word, run = '', id = ''] = line.split(' ');
    if (word === 'finished') finished.push(run);
    else events.set(run, [...(events.get(run) ?? []), id]);
  }
  return { events, finished };
}

/** Everything that lies in the folder after leftovers were recovered, by run id. */
function recovered(folder: string): ReadonlyMap<string, Trace> {
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.partial.sftrace')) recoverOrNothing(join(folder, name));
  }
  // A process that died right after a replacement left the replaced bundle aside.
  const place = join(folder, 'run.sftrace');
  if (existsSync(place)) recoverBundle(place);
  const bundles = readdirSync(folder).filter((name) => name.endsWith('.sftrace') && !name.includes('.partial.'));
  return new Map(
    bundles.map((name) => {
      const path = join(folder, name);
      expect(validateBundle(path, { strict: false, verifyIntegrity: true })).toMatchObject({ valid: true });
      const trace = loadTrace(path);
      return [trace.run_id, trace];
    }),
  );
}

/** A process that died before its manifest was in place had recorded nothing. */
function recoverOrNothing(path: string): void {
  if (!readdirSync(path).includes('manifest.json')) return;
  const { dropped } = recoverBundle(path);
  expect(dropped.length).toBeLessThanOrEqual(2);
}

describe('a recording process that is killed at a random moment, finishing and overwriting included', () => {
  const tests = Array.from({ length: KILLS / PER_TEST }, (_, index) => index);

  it.each(tests)(
    `loses no event whose call had returned (${PER_TEST} kills, seed %i)`,
    async (seed) => {
      const random = new Random(seed);
      for (let kill = 0; kill < PER_TEST; kill++) {
        const folder = temporaryFolder();
        const told = await runAndKill(join(folder, 'run.sftrace'), random.next() * 60);
        const found = recovered(folder);
        const last = [...told.events.keys()].at(-1) as string;
        const ids = found.get(last)?.events.map((event) => event.id);
        expect(ids?.slice(0, told.events.get(last)?.length)).toEqual(told.events.get(last));
        const before = told.finished.at(-1);
        if (before !== undefined && before !== last && found.get(last)?.status !== 'completed') {
          expect(found.get(before)?.events).toHaveLength(21);
        }
        expect(readdirSync(folder).filter((name) => name.includes('replaced'))).toEqual([]);
      }
    },
    PATIENCE_MS,
  );
});
