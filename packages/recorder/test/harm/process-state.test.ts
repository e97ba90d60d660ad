import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { record, startRecording } from '@stepfork/recorder';
import { build } from 'tsup';
import { expect, it } from 'vitest';
import { loadSound, ownDirectory } from '../support/bundles.js';

const directory = ownDirectory();
const path = (): string => join(directory(), 'run.sftrace');

it('lets go of the input of a run, though a timer of the run lives on', async () => {
  setFlagsFromString('--expose-gc');
  const gc: () => void = runInNewContext('gc');
  const references: WeakRef<object>[] = [];
  const timers: NodeJS.Timeout[] = [];
  const input = (): { large: number[] } => {
    const made = { large: [1, 2, 3] };
    references.push(new WeakRef(made));
    return made;
  };
  const agent = (): void => void timers.push(setInterval(() => {}, 1_000_000));
  await record('agent', { output: path(), input: input() }, agent);
  const session = startRecording('agent', { output: `${path()}.2.sftrace`, input: input() });
  agent();
  session.end();
  await new Promise((resolve) => setTimeout(resolve, 10));
  gc();
  expect(references.map((reference) => reference.deref())).toEqual([undefined, undefined]);
  for (const timer of timers) clearInterval(timer);
});

it('leaves nothing in the fake timers of a test, in its CommonJS form', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-cjs-'));
  try {
    await build({
      config: false,
      silent: true,
      entry: { recorder: new URL('../../src/index.ts', import.meta.url).pathname },
      outDir: folder,
      outExtension: () => ({ js: '.cjs' }),
      format: ['cjs'],
      platform: 'node',
      target: 'node20',
      noExternal: [/^@stepfork\//],
    });
    const program = `
      const { record, traceTool } = require('./recorder.cjs');
      const timers = require('node:timers');
      let asked = 0;
      for (const [home, name] of [[process, 'nextTick'], [timers, 'setImmediate'], [timers, 'setTimeout']]) {
        home[name] = () => { asked++; };
      }
      const tool = traceTool('tool', () => Promise.resolve(1));
      const own = traceTool('own', async () => 1);
      record('agent', { output: ${JSON.stringify(path())} }, async () => {
        await tool();
        await own();
        await 0;
        return asked;
      }).then((result) => console.log(result, asked));
    `;
    writeFileSync(join(folder, 'program.cjs'), program);
    expect(execFileSync(process.execPath, ['program.cjs'], { cwd: folder, encoding: 'utf8' })).toBe('0 0\n');
    expect(loadSound(path()).status).toBe('completed');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
