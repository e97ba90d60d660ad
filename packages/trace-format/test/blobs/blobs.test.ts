import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addEvent,
  BLOB_LIMIT,
  createTrace,
  externalizeBytes,
  fromTraceValue,
  hashJson,
  inlineBytes,
  type Json,
  loadTrace,
  openBundle,
  PAYLOAD_FIELDS,
  packBundle,
  parseJson,
  payloadText,
  recoverBundle,
  runStartEvent,
  sha256,
  type Trace,
  toTraceValue,
  unpackBundle,
  validateBundle,
  verifyIntegrity,
} from '../../src/index.js';
import { blobsAndStreams, someBytes, writeBlobsAndStreams } from '../support/blobs-and-streams.js';
import { temporaryFolder } from '../support/bundle-files.js';
import { refusal } from '../support/refusal.js';
import { HEADER, sealed, sealedManifest, textOf, writeTrace } from '../support/sealed.js';

const recorded = (): string => writeBlobsAndStreams(join(temporaryFolder(), 'run.sftrace'));
const blobsIn = (bundle: string): string[] => readdirSync(join(bundle, 'blobs')).sort();
const IMAGE = sha256(someBytes(20_000));
const IMAGE_FILE = `blobs/${IMAGE}`;

/** A trace whose run was given this. */
function given(input: Json): Trace {
  const trace = createTrace({ agentName: 'blobs' });
  addEvent(trace, runStartEvent({ input }));
  return trace;
}

/** Code and place of every issue; the whole is verified. */
const found = (bundle: string): (string | null)[][] =>
  validateBundle(bundle, { verifyIntegrity: true }).issues.map(({ code, location }) => [code, location]);

describe('large binary data in an event', () => {
  it('lies in a file named by its digest, once, whatever names it', () => {
    const bundle = recorded();
    const digests = [someBytes(20_000), someBytes(17_000, 3), someBytes(20_000).subarray(1)].map((bytes) =>
      sha256(bytes),
    );
    expect(blobsIn(bundle)).toEqual([...digests].sort());
    for (const digest of digests) expect(sha256(readFileSync(join(bundle, 'blobs', digest)))).toBe(digest);
    const start = JSON.parse(textOf(bundle, 'events.jsonl').split('\n')[0] as string) as { input: Json };
    expect(start.input).toEqual({
      image: { $stepfork: 'bytes', kind: 'Buffer', blob: IMAGE, size: 20_000 },
      small: toTraceValue(someBytes(9)),
    });
    expect(textOf(bundle, 'runtime.jsonl')).not.toMatch(/"base64":"[^"]{100}/);
    expect(statSync(join(bundle, 'blobs')).mode & 0o777).toBe(0o700);
    expect(statSync(join(bundle, IMAGE_FILE)).mode & 0o777).toBe(0o600);
    expect(validateBundle(bundle, { verifyIntegrity: true })).toEqual({
      valid: true,
      issues: [],
      integrity: 'verified',
    });
  });

  it('begins beyond sixteen kilobytes', () => {
    for (const [size, isBlob] of [
      [BLOB_LIMIT, false],
      [BLOB_LIMIT + 1, true],
    ] as const) {
      const bundle = writeTrace(given(toTraceValue(someBytes(size))), join(temporaryFolder(), 'run.sftrace'));
      expect([size, existsSync(join(bundle, 'blobs'))]).toEqual([size, isBlob]);
    }
  });

  it('comes back as it was, from a directory and from a packed file', () => {
    const { trace } = blobsAndStreams();
    const bundle = recorded();
    for (const path of [bundle, packBundle(bundle)]) {
      const loaded = loadTrace(path);
      const [start, call] = loaded.events as unknown as { input: Json }[];
      expect(fromTraceValue(start?.input as Json, { blobs: loaded.blobs })).toEqual({
        image: someBytes(20_000),
        small: someBytes(9),
      });
      expect(fromTraceValue(call?.input as Json, loaded)).toEqual({ image: new Uint8Array(someBytes(20_000)) });
      for (const [index, event] of loaded.events.entries()) {
        for (const field of PAYLOAD_FIELDS[event.type]) {
          const [name, before] = [field.name, trace.events[index]] as const;
          const payload = (event as unknown as Record<string, Json>)[name] as Json;
          const was = ((before as unknown as Record<string, Json>)[name] ?? null) as Json;
          if (loaded.blobs !== undefined) expect(inlineBytes(payload, loaded.blobs)).toEqual(was);
          expect(payloadText(event, field)).toBe(
            payloadText({ ...event, [name]: externalizeBytes(was) } as never, field),
          );
        }
      }
    }
  });

  it('is refused, with the place, where the bytes are not at hand', () => {
    const bundle = recorded();
    const loaded = loadTrace(bundle);
    const { input } = loaded.events[0] as unknown as { input: Json };
    expect(refusal(() => fromTraceValue(input))).toMatchObject({
      code: 'missing_blob',
      details: { path: '$.image', blob: IMAGE },
    });
    writeFileSync(join(bundle, IMAGE_FILE), 'something else');
    expect(refusal(() => fromTraceValue(input, loaded))?.code).toBe('invalid_blob');
    rmSync(join(bundle, IMAGE_FILE));
    expect(refusal(() => fromTraceValue(input, loaded))).toMatchObject({
      code: 'missing_blob',
      details: { file: join(bundle, IMAGE_FILE) },
    });
    expect(loaded.blobs?.has(IMAGE)).toBe(false);
    expect(loaded.blobs?.has('../manifest.json')).toBe(false);
    expect(refusal(() => loaded.blobs?.read('../manifest.json'))?.code).toBe('missing_blob');
  });

  it('is refused where the event states another size, or names no digest', () => {
    const { blobs } = loadTrace(recorded());
    const tag = { $stepfork: 'bytes', kind: 'Buffer', blob: IMAGE, size: 3 };
    expect(refusal(() => fromTraceValue(tag, { blobs }))?.code).toBe('invalid_value');
    for (const blob of ['../manifest.json', IMAGE.toUpperCase(), '', 3]) {
      expect(refusal(() => fromTraceValue({ ...tag, blob }, { blobs }))?.code).toBe('invalid_value');
    }
  });

  it('may be put there beforehand', () => {
    const trace = given({ $stepfork: 'bytes', kind: 'Buffer', blob: IMAGE, size: 20_000 });
    const writer = openBundle({
      path: join(temporaryFolder(), 'run.sftrace'),
      manifest: sealedManifest(trace),
      runtime: HEADER,
    });
    expect(writer.putBlob(someBytes(20_000))).toBe(IMAGE);
    expect(writer.putBlob(someBytes(20_000))).toBe(IMAGE);
    for (const event of trace.events) writer.append(sealed(event));
    const bundle = writer.finish(sealedManifest(trace));
    expect(found(bundle)).toEqual([]);
    expect(refusal(() => writer.putBlob(someBytes(1)))?.code).toBe('bundle_closed');
  });

  it('is in place before the line that names it, and a write that fails leaves neither', () => {
    const trace = given(toTraceValue(someBytes(20_000)));
    const writer = openBundle({ path: join(temporaryFolder(), 'run.sftrace'), manifest: sealedManifest(trace) });
    writeFileSync(join(writer.workPath, 'blobs'), 'in the way');
    const [event] = trace.events;
    if (event === undefined) throw new Error('no event');
    expect(refusal(() => writer.append(sealed(event)))?.code).toBe('write_failed');
    expect(textOf(writer.workPath, 'events.jsonl')).toBe('');
    rmSync(join(writer.workPath, 'blobs'));
    expect(writer.append(sealed(event))).toMatchObject({ input: { blob: IMAGE } });
    expect(found(writer.finish(sealedManifest(trace)))).toEqual([]);
  });

  it('may be more than a line can hold', () => {
    const trace = given(toTraceValue(Buffer.alloc(70 * 1024 * 1024)));
    const bundle = writeTrace(trace, join(temporaryFolder(), 'run.sftrace'));
    expect(statSync(join(bundle, 'events.jsonl')).size).toBeLessThan(1000);
    expect(found(bundle)).toEqual([]);
  });
});

describe('externalizeBytes', () => {
  const big = toTraceValue(someBytes(20_000));

  it('gives the same object back where there is nothing to do', () => {
    for (const json of [
      null,
      1,
      'x',
      [1, [2]],
      { a: toTraceValue(someBytes(100)) },
      { $stepfork: 'bytes' },
    ] as Json[]) {
      expect(externalizeBytes(json)).toBe(json);
    }
  });

  it('neither changes what it was given nor loses what stands beside', () => {
    const json = parseJson(`{"__proto__":[${JSON.stringify(big)},1.0],"z":2.0}`);
    const before = JSON.stringify(json);
    const text = (value: Json): string =>
      payloadText({ ...given(value).events[0], input: value } as never, PAYLOAD_FIELDS.run_start[0] as never);
    expect(text(externalizeBytes(json))).toBe(
      `{"__proto__":[{"$stepfork":"bytes","blob":"${IMAGE}","kind":"Buffer","size":20000},1.0],"z":2.0}`,
    );
    expect(JSON.stringify(json)).toBe(before);
  });

  it('makes one key of a live value and a recorded one', () => {
    const { trace } = blobsAndStreams();
    const loaded = loadTrace(recorded());
    const inputOf = ({ events }: Trace): Json => (events[1] as unknown as { input: Json }).input;
    expect(hashJson(externalizeBytes(inputOf(loaded)))).toBe(hashJson(externalizeBytes(inputOf(trace))));
  });

  it.each<[string, Json]>([
    ['redacted', { $stepfork: 'bytes', kind: 'Buffer', base64: '[REDACTED]'.repeat(4000) }],
    ['of a tag with more in it', { ...(big as object), more: 1 } as Json],
    ["a user's own", toTraceValue(big)],
  ])('leaves alone what is %s', (_title, json) => {
    expect(externalizeBytes(json)).toBe(json);
  });

  it('is undone by inlineBytes, for any bytes', () => {
    const sizes = fc.integer({ min: BLOB_LIMIT - 3, max: BLOB_LIMIT + 6 });
    fc.assert(
      fc.property(fc.array(sizes, { maxLength: 4 }), fc.nat(255), (list, start) => {
        const json = toTraceValue({ list: list.map((size) => someBytes(size, start)) });
        const blobs = new Map<string, Uint8Array>();
        const written = externalizeBytes(json, (digest, bytes) => blobs.set(digest, bytes));
        const reader = {
          has: (digest: string) => blobs.has(digest),
          read: (digest: string) => blobs.get(digest) as Uint8Array,
        };
        expect(inlineBytes(written, reader)).toEqual(json);
        expect(externalizeBytes(written)).toBe(written);
        expect(blobs.size).toBe(new Set(list.filter((size) => size > BLOB_LIMIT)).size);
      }),
      { numRuns: 20 },
    );
  });
});

describe('validation', () => {
  it('names a blob that is missing, once, with the event that needs it first', () => {
    const bundle = recorded();
    rmSync(join(bundle, IMAGE_FILE));
    for (const path of [bundle, packBundle(bundle)]) {
      const { issues } = validateBundle(path);
      expect(issues).toEqual([
        {
          code: 'missing_blob',
          message: `event 'evt_0' names the blob ${IMAGE}, which is missing`,
          ...{ event_id: 'evt_0', step: 0, location: IMAGE_FILE },
        },
      ]);
      expect(found(path)).toEqual([['missing_blob', IMAGE_FILE]]);
      expect(verifyIntegrity(path)).toMatchObject({ status: 'mismatch', issues: [{ code: 'missing_blob' }] });
    }
  });

  it('names one that only a record of runtime.jsonl needs', () => {
    const bundle = recorded();
    const sent = `blobs/${sha256(someBytes(20_000).subarray(1))}`;
    rmSync(join(bundle, sent));
    expect(validateBundle(bundle).issues).toMatchObject([{ code: 'missing_blob', event_id: null, location: sent }]);
  });

  it('finds a reference whatever the layout and the spelling of its keys', () => {
    const bundle = recorded();
    rmSync(join(bundle, IMAGE_FILE));
    for (const [from, to] of [
      ['{"$stepfork":"bytes","blob":', '{ "blob" :'],
      ['{ "blob" :', '{"blob":'],
      ['"kind":"Buffer","size":20000}', '"kind":"Buffer","size":20000,"\\u0024stepfork":"bytes"}'],
    ] as const) {
      const file = join(bundle, 'events.jsonl');
      writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
      if (to.includes('"bytes"}')) expect(validateBundle(bundle).issues[0]).toMatchObject({ event_id: 'evt_0' });
    }
  });

  it('names a blob that is not what its name says, or is not sealed', () => {
    const bundle = recorded();
    appendFileSync(join(bundle, IMAGE_FILE), 'x');
    writeFileSync(join(bundle, 'blobs', '0'.repeat(64)), 'x');
    const more = sha256('unlisted');
    writeFileSync(join(bundle, 'blobs', more), 'unlisted');
    const expected = [
      ['blob_mismatch', `blobs/${'0'.repeat(64)}`],
      ['blob_mismatch', IMAGE_FILE],
      ['integrity_mismatch', `blobs/${more}`],
    ].sort(([, a], [, b]) => ((a as string) < (b as string) ? -1 : 1));
    expect(found(bundle)).toEqual(expected);
    expect(found(packBundle(bundle))).toEqual(expected);
  });

  it('ignores other files in the folder, and names outside of it', () => {
    const bundle = recorded();
    writeFileSync(join(bundle, 'blobs', 'README.md'), 'x');
    writeFileSync(join(bundle, 'blobs', `${IMAGE}.new`), 'x');
    const record = JSON.parse(textOf(bundle, 'integrity.json')) as { files: Record<string, string> };
    for (const name of ['blobs/../../x', 'blobs/', `blobs/${IMAGE}/x`, 'blobs/x']) record.files[name] = IMAGE;
    writeFileSync(join(bundle, 'integrity.json'), JSON.stringify(record));
    expect(found(bundle)).toEqual([]);
    expect(
      readdirSync(join(unpackBundle(packBundle(bundle), join(dirname(bundle), 'b.sftrace')), 'blobs')),
    ).toHaveLength(3);
  });

  const hostile: Readonly<Record<string, (file: string, folder: string) => void>> = {
    'a link that leaves the bundle': (file, folder) => {
      writeFileSync(join(dirname(dirname(folder)), 'outside'), someBytes(20_000));
      symlinkSync('../../outside', file);
    },
    'a link that leads nowhere': (file) => symlinkSync('/nowhere', file),
    'a link to a device': (file) => symlinkSync('/dev/zero', file),
    'a directory': (file) => mkdirSync(file),
  };
  it.each(Object.keys(hostile))('takes no %s for a blob', (title) => {
    const bundle = recorded();
    rmSync(join(bundle, IMAGE_FILE));
    hostile[title]?.(join(bundle, IMAGE_FILE), join(bundle, 'blobs'));
    const codes = found(bundle).map(([code]) => code);
    expect(['missing_blob', 'read_failed']).toContain(codes[0]);
    const { blobs } = loadTrace(bundle);
    expect(['missing_blob', 'read_failed']).toContain(refusal(() => blobs?.read(IMAGE))?.code);
  });

  it('takes no link for the folder', () => {
    const bundle = recorded();
    const outside = join(dirname(bundle), 'outside');
    renameSync(join(bundle, 'blobs'), outside);
    symlinkSync(outside, join(bundle, 'blobs'));
    expect(new Set(found(bundle).map(([code]) => code))).toEqual(new Set(['missing_blob']));
    expect(loadTrace(bundle).blobs).toBe(undefined);
  });
});

describe('a packed bundle with blobs', () => {
  it('holds them as base64 text, and gives them back byte for byte', () => {
    const bundle = recorded();
    const packed = packBundle(bundle);
    const text = readFileSync(packed, 'latin1');
    expect(text).toContain(`\n--- ${IMAGE_FILE}\n${someBytes(20_000).toString('base64')}`);
    expect(text).toMatch(new RegExp(`\\n${IMAGE_FILE} 26668 ${IMAGE}\\n`));
    const back = unpackBundle(packed, join(dirname(bundle), 'back.sftrace'));
    expect(blobsIn(back)).toEqual(blobsIn(bundle));
    for (const name of blobsIn(back)) {
      expect(readFileSync(join(back, 'blobs', name))).toEqual(readFileSync(join(bundle, 'blobs', name)));
      expect(statSync(join(back, 'blobs', name)).mode & 0o777).toBe(0o600);
    }
    expect(statSync(join(back, 'blobs')).mode & 0o777).toBe(0o700);
    expect(found(back)).toEqual([]);
  });

  it('may hold more of them than its header is read at once, and of any size', () => {
    const trace = given(null);
    const writer = openBundle({ path: join(temporaryFolder(), 'run.sftrace'), manifest: sealedManifest(trace) });
    for (let n = 0; n < 60; n++) writer.putBlob(someBytes(n, n));
    for (const size of [49_151, 49_152, 49_153, 98_304, 300_000]) writer.putBlob(someBytes(size));
    for (const event of trace.events) writer.append(sealed(event));
    const bundle = writer.finish(sealedManifest(trace));
    const packed = packBundle(bundle);
    expect(found(packed)).toEqual([]);
    const back = unpackBundle(packed, join(dirname(bundle), 'back.sftrace'));
    expect(blobsIn(back)).toEqual(blobsIn(bundle));
    expect(found(back)).toEqual([]);
  });

  it('is found out wherever a blob was changed, and is then not unpacked', () => {
    const packed = packBundle(recorded());
    const bytes = readFileSync(packed);
    const from = bytes.indexOf(`\n--- ${IMAGE_FILE}\n`) + `\n--- ${IMAGE_FILE}\n`.length;
    for (let at = from; at < from + 26_668; at += at < from + 26_600 ? 2999 : 1) {
      const copy = Buffer.from(bytes);
      copy[at] = at % 2 === 0 ? 0x3d : (copy[at] as number) ^ 1;
      if (copy.equals(bytes)) continue;
      writeFileSync(packed, copy);
      expect([at, found(packed)]).toEqual([at, [['blob_mismatch', IMAGE_FILE]]]);
      expect(refusal(() => unpackBundle(packed, join(dirname(packed), 'b.sftrace')))?.code).toBe('invalid_pack');
    }
  });
});

describe('recovering', () => {
  it('seals the blobs of a run that died, and removes what was half written', () => {
    const { trace, records } = blobsAndStreams();
    const path = join(temporaryFolder(), 'run.sftrace');
    const writer = openBundle({ path, manifest: sealedManifest(trace), runtime: HEADER });
    for (const event of trace.events) writer.append(sealed(event));
    for (const record of records) writer.appendRuntime(record);
    writer.close();
    writeFileSync(join(writer.workPath, 'blobs', `${'a'.repeat(64)}.new`), 'half');
    const { path: recovered } = recoverBundle(writer.workPath);
    expect(found(recovered)).toEqual([]);
    expect(blobsIn(recovered)).toHaveLength(3);
  });
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe(`another language${hasPython ? '' : ' (not run: no python3 here)'}`, () => {
  // Where there is no Python the cases are none.
  it.each([recorded, ...(hasPython ? [packedAndBack] : [])])(
    'finds the payload hashes and digests as they are',
    (make) => {
      const bundle = make();
      expect(found(bundle)).toEqual([]);
      if (!hasPython) return;
      const verifier = fileURLToPath(new URL('../compat/verify.py', import.meta.url));
      const { stdout } = spawnSync('python3', [verifier, bundle], { encoding: 'utf8' });
      expect(JSON.parse(stdout)).toEqual({ events: 4, problems: [] });
    },
  );
});

function packedAndBack(): string {
  const bundle = recorded();
  return unpackBundle(packBundle(bundle), join(dirname(bundle), 'back.sftrace'));
}
