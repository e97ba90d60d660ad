import { statSync } from 'node:fs';
import { join } from 'node:path';
import { record, traceTool } from '@stepfork/recorder';
import { findUnservable, type StepforkError, type Trace } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { eventsOf, loadSound, outline, ownDirectory } from '../support/bundles.js';
import { collectWarnings } from '../support/warnings.js';

const directory = ownDirectory();
const warnings = collectWarnings();
const path = (): string => join(directory(), 'run.sftrace');
const echo = traceTool('echo', (value: unknown) => value);
const truncated = (trace: Trace) => trace.runtime.filter(({ type }) => type === 'truncated');

describe('limits.payloadBytes', () => {
  it('cuts what is larger, marks it, and no replay serves it', async () => {
    const tool = traceTool('large', (value: string) => value);
    const text = 'x'.repeat(1_000);
    const output = await record('agent', { output: path(), limits: { payloadBytes: 1_000 } }, () => tool(text));
    expect(output).toBe(text);
    const trace = loadSound(path());
    const [call] = eventsOf(trace, 'tool_call');
    const [result] = eventsOf(trace, 'tool_result');
    expect(call?.input).toEqual({ $stepfork: 'cut', bytes: 1_013 });
    expect(result?.output).toEqual({ $stepfork: 'cut', bytes: 1_002 });
    expect(findUnservable(result?.output ?? null)).toBe('$');
    expect(trace.runtime).toContainEqual({
      type: 'placeholder',
      event_id: result?.id,
      path: '/output',
      reason: '1002 bytes, more than limits.payloadBytes',
    });
    expect(await warnings('unserializable')).toContain(
      "tool 'large': /output (1002 bytes, more than limits.payloadBytes) cannot be recorded, so a placeholder was; " +
        'give it a codec, or a replay cannot answer with it',
    );
  });

  it('is the exact size as UTF-8 text, whatever its form', async () => {
    for (const value of [{ a: ['é', 1.5, null, true] }, 'a\n"b"', [[[]]], 12_345, { deep: { er: '€' } }]) {
      const bytes = Buffer.byteLength(JSON.stringify(value));
      for (const [payloadBytes, cut] of [
        [bytes, false],
        [bytes - 1, true],
      ] as const) {
        const options = { output: path(), overwrite: true, limits: { payloadBytes } };
        await record('agent', options, (session) => session.stateChange('k', null, value));
        const [change] = eventsOf(loadSound(path()), 'state_change');
        expect(change?.after).toEqual(cut ? { $stepfork: 'cut', bytes } : value);
      }
    }
  });

  it('holds for one chunk of a stream, which is not written at all', async () => {
    const huge = 'x'.repeat(70 * 1024 * 1024);
    const stream = traceTool('huge chunk', async function* () {
      yield 'small';
      yield huge;
      yield 'after';
    });
    for (const payloadBytes of [1_000, Number.POSITIVE_INFINITY]) {
      const options = { output: path(), overwrite: true, limits: { payloadBytes } };
      await record('agent', options, async () => {
        let chunks = 0;
        for await (const _chunk of stream()) chunks++;
        expect(chunks).toBe(3);
      });
      const trace = loadSound(path());
      expect(statSync(join(path(), 'runtime.jsonl')).size).toBeLessThan(10_000);
      expect(eventsOf(trace, 'tool_result')[0]?.output).toMatchObject({ $stepfork: 'cut' });
    }
  });

  it('never lets one event outgrow a line of the bundle, whatever the limit is', async () => {
    const huge = 'x'.repeat(40 * 1024 * 1024);
    await record('agent', { output: path(), limits: { payloadBytes: Number.POSITIVE_INFINITY } }, (session) => {
      session.stateChange('both', huge, huge);
      return 'fine';
    });
    const trace = loadSound(path());
    const bytes = huge.length + 2;
    expect(eventsOf(trace, 'state_change')[0]).toMatchObject({
      before: { $stepfork: 'cut', bytes },
      after: { $stepfork: 'cut', bytes },
    });
    expect(trace.status).toBe('completed');
  });

  it('cuts 16 MiB and more unless told otherwise, an error message included', async () => {
    const huge = 'x'.repeat(16 * 1024 * 1024);
    const failing = record('agent', { output: path() }, () => {
      echo(huge.slice(2));
      echo(huge);
      throw new Error(huge);
    });
    await expect(failing).rejects.toThrow();
    const trace = loadSound(path());
    const [whole, cut] = eventsOf(trace, 'tool_result').map(({ output }) => output);
    expect([typeof whole, cut]).toEqual(['string', { $stepfork: 'cut', bytes: huge.length + 2 }]);
    expect(eventsOf(trace, 'error')[0]?.details).toMatchObject({ $stepfork: 'cut' });
    expect(trace.failure?.message).toHaveLength(1024 * 1024 + 1);
  });
});

describe.each([
  ['events', { events: 6 }, 'limits.events'],
  ['bundle_bytes', { bundleBytes: 2_500 }, 'limits.bundleBytes'],
] as const)('the limit on %s', (reason, limits, name) => {
  it('keeps further calls out of the bundle, counts them, says so once, and the run ends in it', async () => {
    const errors: StepforkError[] = [];
    const agent = `agent of many ${reason}`;
    const outputs = await record(
      agent,
      { output: path(), limits, onError: (error) => errors.push(error) },
      (session) => {
        const all = Array.from({ length: 20 }, (_, n) => echo(n));
        session.stateChange('k', 1, 2);
        session.error('odd');
        session.llmCall({ model: 'm', input: 1 }).respond(2);
        return all;
      },
    );
    expect(outputs).toHaveLength(20);
    const trace = loadSound(path());
    const recorded = eventsOf(trace, 'tool_call').length;
    expect(recorded).toBeGreaterThan(1);
    expect(recorded).toBeLessThan(10);
    expect(eventsOf(trace, 'tool_result')).toHaveLength(recorded);
    expect(outline(trace).at(-1)).toBe(`${trace.events.length - 1} run_end`);
    expect(eventsOf(trace, 'run_end')[0]?.output).toEqual(outputs);
    expect(trace.status).toBe('completed');
    const step = 1 + 2 * recorded;
    expect(truncated(trace)).toEqual([
      { type: 'truncated', reason, step },
      { type: 'truncated', reason, step, left_out: 20 - recorded + 3 },
    ]);
    expect(errors.map(({ code, details }) => [code, details])).toEqual([
      ['recording_truncated', { limit: name, file: path() }],
    ]);
    expect(await warnings('recording_truncated')).toEqual([errors[0]?.message]);
  });

  it('lets calls that were being made have their outcomes, and a failed run its error', async () => {
    const slow = traceTool('slow', async (n: number) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      for (let call = 0; call < 20; call++) echo(call);
      return n;
    });
    const failing = record('agent', { output: path(), limits }, async () => {
      await slow(1);
      throw new RangeError('after all');
    });
    await expect(failing).rejects.toThrow('after all');
    const trace = loadSound(path());
    const [call] = eventsOf(trace, 'tool_call');
    expect(eventsOf(trace, 'tool_result').some((result) => result.parent_id === call?.id)).toBe(true);
    expect(trace.failure).toMatchObject({ type: 'RangeError', step: trace.events.length - 2 });
    expect(trace.events.at(-2)?.type).toBe('error');
  });

  it('is not reached by a run that stays below it', async () => {
    await record('agent', { output: path(), limits }, () => echo(1));
    expect(truncated(loadSound(path()))).toEqual([]);
    expect(statSync(join(path(), 'events.jsonl')).size).toBeLessThan(2_500);
  });
});
