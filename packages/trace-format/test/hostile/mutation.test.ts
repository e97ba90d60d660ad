import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  canonicalJson,
  externalizeBytes,
  findUnservable,
  fromTraceValue,
  isStepforkError,
  type Json,
  loadTrace,
  packBundle,
  pairCalls,
  recoverBundle,
  streamOf,
  summarizeTrace,
  type Trace,
  unpackBundle,
  validateBundle,
  validateTrace,
} from '../../src/index.js';
import { writeBlobsAndStreams } from '../support/blobs-and-streams.js';
import { quickFolder } from '../support/bundle-files.js';
import { writeConversation } from '../support/conversation.js';
import { everyEvent } from '../support/every-event.js';
import { Random } from '../support/random.js';
import { HEADER, writeTrace } from '../support/sealed.js';
import { mutate } from './mutation.js';
import { mutatePacked } from './packed-mutation.js';

const ROUNDS = process.env.STEPFORK_FULL === '1' ? 20_000 : 2000;
/** A busy machine is no failure. */
const PATIENCE_MS = 180_000;
const PER_TEST = 100;
/** One bundle in so many is also packed, and packed ones are mutated. */
const PACK_EVERY = 4;

/** What may be said of a bundle; every code stands in docs/trace-format.md. */
const CODES = new Set([
  ...['missing_bundle', 'missing_file', 'invalid_json', 'unsupported_schema', 'invalid_manifest', 'invalid_event'],
  ...['invalid_runtime', 'event_too_large', 'read_failed', 'not_canonical', 'unservable', 'invalid_value'],
  ...['write_failed', 'output_exists', 'invalid_pack', 'missing_blob', 'invalid_blob', 'unresolved_repeat'],
]);

/** Runs an action that may refuse, and answers with what it gave or the code. */
function attempt<T>(action: () => T): T | null {
  try {
    return action();
  } catch (error) {
    if (!isStepforkError(error)) throw error;
    expect(CODES).toContain(error.code);
    return null;
  }
}

/** Everything that is done with a trace once it is loaded. */
function use(trace: Trace, folder: string): void {
  validateTrace(trace, { verifyPayloads: true });
  pairCalls(trace.events);
  summarizeTrace(trace);
  for (const event of trace.events) {
    for (const payload of Object.values(event) as Json[]) {
      if (payload === undefined) continue;
      attempt(() => canonicalJson(payload));
      attempt(() => fromTraceValue(payload, trace));
      findUnservable(payload);
      streamOf(payload);
      externalizeBytes(payload);
    }
  }
  for (const name of ['0'.repeat(64), '../manifest.json', '__proto__']) attempt(() => trace.blobs?.read(name));
  const again = attempt(() => writeTrace(trace, join(folder, 'again.sftrace'), { overwrite: true }));
  if (again !== null)
    expect(validateBundle(again, { strict: false, verifyIntegrity: true }).integrity).toBe('verified');
}

function examine(bundle: string, folder: string): void {
  let refusal: string | null = null;
  try {
    use(loadTrace(bundle), folder);
  } catch (error) {
    if (!isStepforkError(error)) throw error;
    expect(CODES).toContain(error.code);
    expect(error.details.file).toEqual(expect.any(String));
    refusal = error.code;
  }
  const result = validateBundle(bundle, { verifyIntegrity: true });
  expect(result.valid).toBe(result.issues.length === 0);
  const code = refusal === 'missing_bundle' ? 'missing_file' : refusal;
  if (code !== null) expect(result.issues.map((issue) => issue.code)).toContain(code);
}

/** Packed, a bundle is what it was: it loads as the same trace, or is refused for the same reason. */
function examinePacked(bundle: string): void {
  const packed = attempt(() => packBundle(bundle));
  if (packed === null) return;
  expect(outcomeOf(packed)).toEqual(outcomeOf(bundle));
  rmSync(packed);
}

function outcomeOf(path: string): unknown {
  try {
    // Ids and times that are missing are filled in with fresh ones.
    const { run_id, events, runtime } = loadTrace(path);
    return { run_id, types: events.map(({ type }) => type), runtime };
  } catch (error) {
    if (!isStepforkError(error)) throw error;
    return [error.code, error.details.line];
  }
}

/** What is mutated: bundles of every event, of streams and blobs, and of requests that repeat each other. */
const BASES: readonly ((path: string) => string)[] = [
  (path) => writeTrace(everyEvent(), path, { runtime: HEADER }),
  writeBlobsAndStreams,
  writeConversation,
];

function writeBase(path: string, index: number): string {
  return (BASES[index % BASES.length] as (path: string) => string)(path);
}

const prototypes = (): unknown[] =>
  [Object.prototype, Array.prototype, Function.prototype, Error.prototype].map((prototype) =>
    Reflect.ownKeys(prototype).map(String),
  );

describe('a mutated bundle is read or refused with a code and a place, and harms nothing', () => {
  const tests = Array.from({ length: ROUNDS / PER_TEST }, (_, index) => index);

  it.each(tests)(
    `${PER_TEST} of them, from seed %i00`,
    (index) => {
      const folder = quickFolder();
      const base = writeBase(join(folder, 'base.sftrace'), index);
      writeFileSync(join(folder, 'outside.json'), '{}');
      mkdirSync(join(folder, 'work'));
      const before = prototypes();
      for (let seed = index * PER_TEST; seed < (index + 1) * PER_TEST; seed++) {
        const bundle = join(folder, 'work', 'run.sftrace');
        cpSync(base, bundle, { recursive: true });
        const random = new Random(seed);
        const names = mutate(bundle, random);
        try {
          examine(bundle, join(folder, 'work'));
          if (seed % PACK_EVERY === 0) examinePacked(bundle);
          const partial = join(folder, 'work', 'left.00000001.partial.sftrace');
          renameSync(bundle, partial);
          const recovered = attempt(() => recoverBundle(partial));
          if (recovered !== null) loadTrace(recovered.path);
        } catch (error) {
          throw new Error(`seed ${seed} (${names.join(', ')}): ${String(error)}`, { cause: error });
        }
        rmSync(join(folder, 'work'), { recursive: true });
        mkdirSync(join(folder, 'work'));
      }
      expect(prototypes()).toEqual(before);
    },
    PATIENCE_MS,
  );
});

describe('a mutated packed bundle is read or refused with a code and a place, and harms nothing', () => {
  const tests = Array.from({ length: ROUNDS / PACK_EVERY / PER_TEST }, (_, index) => index);

  it.each(tests)(
    `${PER_TEST} of them, from seed %i00`,
    (index) => {
      const folder = quickFolder();
      const home = join(folder, 'home');
      mkdirSync(home);
      const base = packBundle(writeBase(join(folder, 'base.sftrace'), index), join(folder, 'base.packed.sftrace'));
      const bytes = readFileSync(base);
      const before = prototypes();
      for (let seed = index * PER_TEST; seed < (index + 1) * PER_TEST; seed++) {
        const packed = join(home, 'run.packed.sftrace');
        const { names, mutated } = mutatePacked(bytes, new Random(seed));
        writeFileSync(packed, mutated);
        try {
          examine(packed, home);
          const unpacked = attempt(() => unpackBundle(packed));
          if (unpacked !== null) attempt(() => loadTrace(unpacked));
        } catch (error) {
          throw new Error(`seed ${seed} (${names.join(', ')}): ${String(error)}`, { cause: error });
        }
        rmSync(home, { recursive: true });
        mkdirSync(home);
      }
      expect(prototypes()).toEqual(before);
      expect(readdirSync(folder).sort()).toEqual(['base.packed.sftrace', 'base.sftrace', 'home']);
    },
    PATIENCE_MS,
  );
});
