import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { record, traceTool } from '@stepfork/recorder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
