import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { record, traceTool } from '@stepfork/recorder';
import { packBundle } from '@stepfork/trace-format';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { traceDigest } from '../project/trace-digest.js';
import { expectation } from './expectation.js';
import { replayCase } from './replay-case.js';
import { locateTestFile } from './test-file.js';

const double = traceTool('double', async (value: number) => value * 2);
const agent = async (value: number) => ({ doubled: await double(value) });

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stepfork replay '));
  await record('double-agent', { output: join(folder, 'a b.sftrace'), input: 21 }, (_session, value) =>
    agent(value as number),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const trace = './a b.sftrace';

describe('replayCase', () => {
  test('finds the recording from the path or the URL of the test file', async () => {
    const testFile = join(folder, 'some.test.ts');
    for (const from of [testFile, pathToFileURL(testFile), pathToFileURL(testFile).href]) {
      const report = await replayCase({ trace, entrypoint: agent, from });
      expect(report).toMatchObject({ verdict: 'matched', output: { doubled: 42 }, counts: { executed: 0 } });
    }
  });

  test('finds it from the test file that runs, once a setup has told how to know that', async () => {
    await expect(replayCase({ trace, entrypoint: agent })).rejects.toMatchObject({ code: 'setup_missing' });
    locateTestFile(() => join(folder, 'some.test.ts'));
    expect(await replayCase({ trace, entrypoint: agent })).toMatchObject({ verdict: 'matched' });
    locateTestFile(() => undefined);
    await expect(replayCase({ trace, entrypoint: agent })).rejects.toMatchObject({ code: 'setup_missing' });
  });

  test('B247 rejects for a recording that is not there or is not readable', async () => {
    const from = join(folder, 'some.test.ts');
    await expect(replayCase({ trace: 'gone.sftrace', entrypoint: agent, from })).rejects.toMatchObject({
      code: 'missing_bundle',
    });
    await expect(replayCase({ trace: '../x.json', entrypoint: agent, from })).rejects.toMatchObject({
      name: 'StepforkError',
    });
  });

  test('B251 an entrypoint may be synchronous, asynchronous, or return a promise', async () => {
    const from = join(folder, 'some.test.ts');
    for (const entrypoint of [agent, (value: number) => agent(value)]) {
      expect(await replayCase({ trace, entrypoint, from })).toMatchObject({ verdict: 'matched' });
    }
    expect(await replayCase({ trace, entrypoint: (value: number) => value, from })).toMatchObject({
      verdict: 'diverged',
    });
  });

  test('takes the default export out of what require() gives', async () => {
    const from = join(folder, 'some.test.ts');
    for (const entrypoint of [{ default: agent }, { default: { default: agent } }]) {
      expect(await replayCase({ trace, entrypoint, from })).toMatchObject({ verdict: 'matched' });
    }
  });

  test.each([undefined, null, 'agent', {}, { default: 1 }])(
    'B247 an entrypoint that is no function is refused: %j',
    async (value) => {
      const entrypoint = value as unknown as () => void;
      await expect(replayCase({ trace, entrypoint, from: folder })).rejects.toMatchObject({ code: 'bad_entrypoint' });
    },
  );

  test('another input than the recorded one can be given', async () => {
    const report = await replayCase({ trace, entrypoint: agent, from: join(folder, 'x'), input: 4 });
    expect(report).toMatchObject({ verdict: 'diverged', divergence: { code: 'input_changed' } });
  });
});

describe('replayCase, told what the recording held', () => {
  const at = (name: string): string => join(folder, name);
  const replayed = (bundle: string, digest: string) =>
    replayCase({ trace: bundle, digest, entrypoint: agent, from: at('some.test.ts') });
  const digest = (): string => traceDigest(at('a b.sftrace')) ?? '';

  test('replays it, from its folder and from what that was packed to', async () => {
    packBundle(at('a b.sftrace'), at('packed.sftrace'));
    expect(digest()).toMatch(/^sha256-[\w+/]{43}=$/);
    expect(traceDigest(at('packed.sftrace'))).toBe(digest());
    for (const bundle of ['a b.sftrace', 'packed.sftrace']) {
      expect(await replayed(bundle, digest())).toMatchObject({ verdict: 'matched' });
    }
  });

  test.each(['manifest.json', 'events.jsonl', 'redactions.json', 'runtime.jsonl', `blobs/${'0'.repeat(64)}`])(
    'refuses one that was changed since in %s',
    async (name) => {
      const changed = at(`changed ${name.slice(0, 5)}.sftrace`);
      cpSync(at('a b.sftrace'), changed, { recursive: true });
      if (name.startsWith('blobs/')) cpSync(at('a b.sftrace'), join(changed, 'blobs'), { recursive: true });
      appendFileSync(join(changed, name), '\n');
      await expect(replayed(changed, digest())).rejects.toMatchObject({
        code: 'trace_changed',
        message: expect.stringContaining('is not the recording that this test was made from'),
      });
    },
  );

  test('is not troubled by files that are no part of a recording', () => {
    const noted = at('noted.sftrace');
    cpSync(at('a b.sftrace'), noted, { recursive: true });
    writeFileSync(join(noted, 'NOTES.md'), 'mine');
    writeFileSync(join(noted, 'integrity.json'), '{}');
    expect(traceDigest(noted)).toBe(digest());
  });

  test('says of one that cannot be read what is wrong with it', async () => {
    await expect(replayed('gone.sftrace', digest())).rejects.toMatchObject({ code: 'missing_bundle' });
    writeFileSync(at('text.sftrace'), 'stepfork-pack/1\nnothing');
    expect(traceDigest(at('text.sftrace'))).toBeNull();
    await expect(replayed('text.sftrace', digest())).rejects.toMatchObject({ code: 'invalid_pack' });
  });
});

describe('expectation', () => {
  test('reads a file beside the test that runs, its numbers exact', () => {
    locateTestFile(() => join(folder, 'some.test.ts'));
    writeFileSync(join(folder, 'some.expected.json'), '\ufeff{ "id": 12345678901234567890, "__proto__": 1 }');
    const read = expectation<Record<string, unknown>>('./some.expected.json');
    expect(read.id).toBe(12345678901234567890n);
    expect(Object.keys(read)).toContain('__proto__');
  });

  test.each([
    ['./gone.json', 'the expectation ./gone.json is not there: restore the file, or export the test anew'],
    ['./broken.json', 'the expectation ./broken.json cannot be read as JSON'],
    ['.', 'the expectation . cannot be read as JSON (EISDIR)'],
  ])('refuses %s in one line', (path, message) => {
    locateTestFile(() => join(folder, 'some.test.ts'));
    writeFileSync(join(folder, 'broken.json'), '{');
    expect(() => expectation(path)).toThrow(
      expect.objectContaining({ code: 'bad_expectation', message: expect.stringContaining(message) }),
    );
  });
});
