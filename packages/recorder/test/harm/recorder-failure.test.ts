import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { record, startRecording, traceAgent, traceTool } from '@stepfork/recorder';
import { slot } from '@stepfork/recorder/boundary';
import type { StepforkError } from '@stepfork/trace-format/write';
import { describe, expect, it } from 'vitest';
import { bundlesIn, eventsOf, loadSound, ownDirectory } from '../support/bundles.js';
import { programs } from '../support/programs.js';
import { collectWarnings } from '../support/warnings.js';

const directory = ownDirectory();
const warnings = collectWarnings();
const path = (name = 'run'): string => join(directory(), `${name}.sftrace`);
const run = programs(fileURLToPath(new URL('./programs', import.meta.url)));
const work = traceTool('work', async (n: number) => n);

/** Runs a program that cannot write, and checks that its agents did not notice. */
async function runCannotWrite(output: string, options: Parameters<typeof run>[1] = {}): Promise<string[]> {
  const { code, signal, stdout, stderr } = await run('cannot-write', { args: [output], ...options });
  expect({ code, signal }).toEqual({ code: 0, signal: null });
  const { results, errors } = JSON.parse(stdout) as { results: string[]; errors: string[] };
  expect(results).toEqual(['recorded agent', 'traced agent']);
  expect(errors.length).toBeGreaterThan(0);
  expect(stderr.split('\n').filter((line) => line.includes('[recording_failed] StepforkWarning'))).toHaveLength(
    errors.length,
  );
  return errors;
}

describe('a recorder that fails', () => {
  it('does not stop an agent in a directory that cannot be written to', async () => {
    mkdirSync(join(directory(), 'closed'), { mode: 0o555 });
    chmodSync(directory(), 0o755);
    const isRoot = process.getuid?.() === 0;
    const output = join(directory(), 'closed', 'run.sftrace');
    const errors = await runCannotWrite(output, { args: [output, isRoot ? 'nobody' : 'self'] });
    expect(errors).toEqual(['recording_failed', 'recording_failed']);
    expect(bundlesIn(join(directory(), 'closed'))).toEqual([]);
  });

  it('does not stop an agent whose directory is a file', async () => {
    writeFileSync(join(directory(), 'file'), 'kept');
    await runCannotWrite(join(directory(), 'file', 'run.sftrace'));
  });

  it('does not stop an agent when files may not grow, and keeps what was written', async () => {
    await runCannotWrite(path(), { limits: 'ulimit -f 16' });
    expect(bundlesIn(directory()).length).toBeGreaterThan(0);
  });

  it('does not stop an agent whose directory goes away while it runs', async () => {
    const errors: StepforkError[] = [];
    const output = join(directory(), 'gone', 'run.sftrace');
    const result = await record('vanishing', { output, onError: (error) => errors.push(error) }, async () => {
      await work(1);
      rmSync(join(directory(), 'gone'), { recursive: true });
      await work(2);
      return 'fine';
    });
    expect(result).toBe('fine');
    expect(errors.map(({ code }) => code)).toEqual(['recording_failed']);
    expect(await warnings('recording_failed')).toEqual([errors[0]?.message]);
    expect(errors[0]?.message).toContain("the recording of agent 'vanishing' broke off; nothing of it is left, as");
  });

  it("B158 gives the agent's own error precedence", async () => {
    const own = new Error('own');
    const output = join(directory(), 'gone', 'run.sftrace');
    const failing = record('vanishing with error', { output }, () => {
      rmSync(join(directory(), 'gone'), { recursive: true });
      throw own;
    });
    await expect(failing).rejects.toBe(own);
  });

  it('is not hurt by an onError that throws', async () => {
    writeFileSync(join(directory(), 'file'), '');
    const onError = (): never => {
      throw new Error('from onError');
    };
    expect(await record('loud', { output: join(directory(), 'file', 'run.sftrace'), onError }, () => 1)).toBe(1);
  });
});

describe('a path that is taken', () => {
  it('is a clear error of record, before anything runs', async () => {
    let ran = false;
    await record('agent', { output: path() }, () => 'first');
    const again = record('agent', { output: path() }, () => {
      ran = true;
    });
    await expect(again).rejects.toMatchObject({ code: 'output_exists' });
    await expect(record('agent', { output: join(directory(), 'run.txt') }, () => 1)).rejects.toMatchObject({
      code: 'not_a_bundle',
    });
    const both = record('agent', { output: path('both') }, async () => {
      const inner = Promise.resolve().then(() => undefined);
      await inner;
      return 'outer';
    });
    await expect(record('agent', { output: path('both') }, () => 'inner')).rejects.toMatchObject({
      code: 'output_busy',
    });
    expect(await both).toBe('outer');
    expect(ran).toBe(false);
    expect(eventsOf(loadSound(path()), 'run_end')[0]?.output).toBe('first');
    expect(eventsOf(loadSound(path('both')), 'run_end')[0]?.output).toBe('outer');
  });

  it('lets a traced agent run unrecorded, told by onError and one warning', async () => {
    const errors: StepforkError[] = [];
    const agent = traceAgent(
      { name: 'taken', output: path(), onError: (error) => errors.push(error) },
      async (n: number) => work(n),
    );
    expect([await agent(1), await agent(2), await agent(3)]).toEqual([1, 2, 3]);
    expect(errors.map(({ code, details }) => [code, details.code])).toEqual([
      ['recording_failed', 'output_exists'],
      ['recording_failed', 'output_exists'],
    ]);
    expect(await warnings('recording_failed')).toHaveLength(1);
    expect(loadSound(path()).events[0]).toMatchObject({ input: { args: [1] } });
  });

  it('is free again after its run', async () => {
    await record('agent', { output: path() }, () => 1);
    rmSync(path(), { recursive: true });
    await record('agent', { output: path() }, () => 2);
    expect(existsSync(path())).toBe(true);
  });
});

describe('two recordings with one path', () => {
  it('are one recording and a clear error of the other, whichever way they are started', async () => {
    let ran = 0;
    const taken = expect.objectContaining({ code: 'output_busy' });
    const traced = traceAgent({ name: 'second on one path', output: path() }, async () => ++ran);
    const first = startRecording('first', { output: path() });
    const around = slot().frames.getStore();
    // Outside of the first run, as another request of the same server is.
    await slot().frames.exit(async () => {
      await expect(record('other', { output: path() }, () => ++ran)).rejects.toEqual(taken);
      expect(() => startRecording('other', { output: path() })).toThrow(taken);
      await expect(record('other', { output: path(), overwrite: true }, () => ++ran)).rejects.toEqual(taken);
      expect(ran).toBe(0);
      expect(await traced()).toBe(1);
    });
    expect(slot().frames.getStore()).toBe(around);
    first.setOutput('whole');
    first.end();
    expect(await warnings('recording_failed')).toHaveLength(1);
    expect(bundlesIn(directory())).toEqual(['run.sftrace']);
    expect(eventsOf(loadSound(path()), 'run_end')[0]?.output).toBe('whole');
  });

  it('are two recordings where the second came when the first was over and may overwrite', async () => {
    await record('agent', { output: path() }, () => 1);
    await record('agent', { output: path(), overwrite: true }, () => 2);
    expect(eventsOf(loadSound(path()), 'run_end')[0]?.output).toBe(2);
  });
});

describe('what is asked for wrongly', () => {
  it('is refused before anything runs', async () => {
    let ran = false;
    const fn = (): void => {
      ran = true;
    };
    await expect(record('', fn)).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(() => traceAgent('', fn)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    // @ts-expect-error no function
    await expect(record('agent', {})).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(ran).toBe(false);
  });
});
