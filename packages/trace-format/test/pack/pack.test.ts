import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  loadTrace,
  packBundle,
  readEvents,
  recoverBundle,
  unpackBundle,
  validateBundle,
  verifyIntegrity,
} from '../../src/index.js';
import { openBundle } from '../../src/write.js';
import { temporaryFolder, writeFiles } from '../support/bundle-files.js';
import { everyEvent } from '../support/every-event.js';
import { refusal } from '../support/refusal.js';
import { HEADER, sealedManifest, writeTrace } from '../support/sealed.js';

const FILES = ['manifest.json', 'events.jsonl', 'redactions.json', 'integrity.json', 'runtime.jsonl'];

function recorded(): string {
  return writeTrace(everyEvent(), join(temporaryFolder(), 'run.sftrace'), { runtime: HEADER });
}

/** A packed bundle of which bytes were changed, its text being taken as Latin-1 so that each is one character. */
function changed(change: (text: string) => string): string {
  const packed = packBundle(recorded());
  writeFileSync(packed, change(readFileSync(packed, 'latin1')), 'latin1');
  return packed;
}

describe('packing a bundle', () => {
  it('gives one file that is read like the bundle', () => {
    const bundle = recorded();
    const packed = packBundle(bundle);
    expect(packed).toBe(join(dirname(bundle), 'run.packed.sftrace'));
    expect(loadTrace(packed)).toEqual(loadTrace(bundle));
    expect([...readEvents(packed)]).toEqual([...readEvents(bundle)]);
    expect(verifyIntegrity(packed)).toEqual({ status: 'verified', issues: [] });
    expect(validateBundle(packed, { verifyIntegrity: true })).toEqual({
      valid: true,
      issues: [],
      integrity: 'verified',
    });
    expect(statSync(packed).mode & 0o777).toBe(0o600);
  });

  it('keeps each event on a line of its own, after a header that names what follows', () => {
    const bundle = recorded();
    const text = readFileSync(packBundle(bundle), 'utf8');
    const [first, ...rest] = text.split('\n');
    expect(first).toBe('stepfork-pack/1');
    expect(rest.slice(0, 5).map((line) => line.split(' ')[0])).toEqual(FILES);
    expect(rest[5]).toMatch(/^seal [0-9a-f]{64}$/);
    expect(rest.filter((line) => line.startsWith('--- ')).map((line) => line.slice(4))).toEqual(FILES);
    const events = readFileSync(join(bundle, 'events.jsonl'), 'utf8').trimEnd().split('\n');
    expect(rest).toEqual(expect.arrayContaining(events));
  });

  it('is undone byte for byte, for any bundle that can be read', () => {
    const legacy = writeFiles({
      manifest: `{"schema_version":"0.1","run_id":"run_1","agent_name":"é","created_at":"2026-10-08T10:00:00Z","status":"completed","totals":{"events":0}}`,
      events: '',
    });
    for (const bundle of [recorded(), legacy]) {
      writeFileSync(join(bundle, 'notes.txt'), 'no part of the format');
      const back = unpackBundle(packBundle(bundle), join(dirname(bundle), 'back.sftrace'));
      const there = FILES.filter((name) => existsSync(join(bundle, name)));
      expect(readdirSync(back).sort()).toEqual([...there].sort());
      for (const name of there) expect(readFileSync(join(back, name))).toEqual(readFileSync(join(bundle, name)));
      expect(statSync(back).mode & 0o777).toBe(0o700);
      expect(verifyIntegrity(back).status).toBe(verifyIntegrity(bundle).status);
    }
  });

  it('names what it makes after the bundle, and refuses to replace anything', () => {
    const bundle = recorded();
    const packed = packBundle(bundle);
    expect(refusal(() => packBundle(bundle))?.code).toBe('output_exists');
    expect(refusal(() => unpackBundle(packed))?.code).toBe('output_exists');
    rmSync(bundle, { recursive: true });
    expect(unpackBundle(packed)).toBe(bundle);
    const other = packBundle(bundle, join(dirname(bundle), 'other.sftrace'));
    expect(unpackBundle(other)).toBe(join(dirname(bundle), 'other.unpacked.sftrace'));
    expect(readdirSync(dirname(bundle)).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('refuses what is no bundle, and what is packed or unpacked already', () => {
    const bundle = recorded();
    const packed = packBundle(bundle);
    expect(refusal(() => packBundle(packed))?.code).toBe('missing_bundle');
    expect(refusal(() => unpackBundle(bundle))?.code).toBe('not_packed');
    expect(refusal(() => packBundle(bundle, 'run.zip'))?.code).toBe('not_a_bundle');
    expect(refusal(() => unpackBundle(packed, 'run'))?.code).toBe('not_a_bundle');
    expect(refusal(() => packBundle(writeFiles({ events: undefined })))?.code).toBe('missing_file');
    expect(refusal(() => packBundle(writeFiles({ manifest: { schema_version: '9' } })))?.code).toBe(
      'unsupported_schema',
    );
    expect(refusal(() => recoverBundle(packed))?.code).toBe('missing_bundle');
  });

  it('never writes through a link that lies in the way', () => {
    const bundle = recorded();
    const victim = join(dirname(bundle), 'victim.txt');
    symlinkSync(victim, join(dirname(bundle), `run.packed.sftrace.${process.pid}.new`));
    expect(existsSync(packBundle(bundle))).toBe(true);
    expect(existsSync(victim)).toBe(false);
    symlinkSync(victim, join(dirname(bundle), 'b.sftrace'));
    expect(refusal(() => packBundle(bundle, join(dirname(bundle), 'b.sftrace')))?.code).toBe('output_exists');
    expect(existsSync(victim)).toBe(false);
  });

  it('takes a run that goes on as it stands', () => {
    const trace = everyEvent();
    const writer = openBundle({ path: join(temporaryFolder(), 'run.sftrace'), manifest: sealedManifest(trace) });
    const packed = packBundle(writer.workPath, join(dirname(writer.workPath), 'now.partial.sftrace'));
    expect(loadTrace(packed)).toMatchObject({ status: 'running', events: [] });
    writer.abandon();
  });

  it('leaves out what is no file, and nothing behind when it fails', () => {
    const bundle = recorded();
    const folder = join(dirname(bundle), 'packed');
    mkdirSync(folder);
    rmSync(join(bundle, 'runtime.jsonl'));
    mkdirSync(join(bundle, 'runtime.jsonl'));
    expect(loadTrace(packBundle(bundle, join(folder, 'a.sftrace'))).runtime).toEqual([]);
    expect(refusal(() => packBundle(bundle, join(folder, 'none', 'a.sftrace')))?.code).toBe('write_failed');
    expect(readdirSync(folder)).toEqual(['a.sftrace']);
  });
});

describe('a packed bundle that was changed', () => {
  const codes = (path: string): (string | null)[][] =>
    validateBundle(path, { verifyIntegrity: true }).issues.map(({ code, location }) => [code, location]);

  it('is found out wherever a byte was changed', () => {
    const packed = packBundle(recorded());
    const bytes = readFileSync(packed);
    const step = process.env.STEPFORK_FULL === '1' ? 1 : 23;
    for (let at = 0; at < bytes.length; at += step) {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] as number) ^ 1;
      writeFileSync(packed, copy);
      expect([at, validateBundle(packed, { verifyIntegrity: true }).valid]).toEqual([at, false]);
    }
  });

  it('names the member, also of a bundle that has no integrity.json', () => {
    expect(codes(changed((text) => text.replace('"every-event"', '"Every-event"')))).toEqual([
      ['integrity_mismatch', 'manifest.json'],
    ]);
    const legacy = packBundle(writeFiles());
    writeFileSync(legacy, readFileSync(legacy, 'utf8').replace('"agent"', '"Agent"'));
    expect(verifyIntegrity(legacy).issues).toMatchObject([
      { code: 'integrity_mismatch', location: 'manifest.json' },
      { code: 'integrity_unverified', location: 'integrity.json' },
    ]);
    expect(verifyIntegrity(legacy).status).toBe('mismatch');
  });

  it('is not unpacked, and leaves nothing behind', () => {
    const packed = changed((text) => text.replace('"every-event"', '"Every-event"'));
    const target = join(dirname(packed), 'back.sftrace');
    expect(refusal(() => unpackBundle(packed, target))?.code).toBe('invalid_pack');
    expect(readdirSync(dirname(packed)).sort()).toEqual(['run.packed.sftrace', 'run.sftrace']);
  });

  it.each<[string, (text: string) => string]>([
    ['line ends were converted', (text) => text.replaceAll('\n', '\r\n')],
    ['it was cut off', (text) => text.slice(0, -1)],
    ['something was appended', (text) => `${text}\n`],
    ['its header was cut off', (text) => text.slice(0, 100)],
    ['a name became a path', (text) => text.replace('runtime.jsonl', '../../.jsonl')],
    ['a name became another', (text) => text.replace('\nruntime.jsonl', '\nsomething.json')],
    ['a member was named twice', (text) => text.replace('\nredactions.json ', '\nevents.jsonl ')],
    ['a size was changed', (text) => text.replace(/\nevents\.jsonl \d/, '\nevents.jsonl 9')],
    ['a size is no number', (text) => text.replace(/\nevents\.jsonl \d+/, '\nevents.jsonl 1e99')],
    ['a size is beyond all', (text) => text.replace(/\nevents\.jsonl \d+/, `\nevents.jsonl ${'9'.repeat(16)}`)],
    ['a separator was changed', (text) => text.replace('\n--- events.jsonl', '\n--- Events.jsonl')],
    ['its header has no end', (text) => text.slice(0, 16) + 'x'.repeat(10_000)],
  ])('is refused, with the path, when %s', (_title, change) => {
    const packed = changed(change);
    const refused = refusal(() => loadTrace(packed));
    expect(['invalid_pack', 'unsupported_schema']).toContain(refused?.code);
    expect(refused?.details.file).toBe(packed);
    expect(codes(packed)).toEqual([[refused?.code, 'run.packed.sftrace']]);
    expect(refusal(() => verifyIntegrity(packed))?.code).toBe(refused?.code);
    expect(refusal(() => unpackBundle(packed, join(dirname(packed), 'b.sftrace')))?.code).toBe(refused?.code);
  });

  it('is refused by name when it is packed in another way', () => {
    const packed = changed((text) => text.replace('stepfork-pack/1', 'stepfork-pack/2\u001b[2J'));
    expect(refusal(() => loadTrace(packed))).toMatchObject({ code: 'unsupported_schema' });
    expect(refusal(() => loadTrace(packed))?.message).toContain(
      "packed as 'stepfork-pack/2\\u001b[2J'; this release reads stepfork-pack/1",
    );
  });

  it('lacks what was not packed', () => {
    const empty = join(temporaryFolder(), 'a.sftrace');
    appendFileSync(empty, 'stepfork-pack/1\nseal 6b5b');
    expect(refusal(() => loadTrace(empty))?.code).toBe('invalid_pack');
  });
});
