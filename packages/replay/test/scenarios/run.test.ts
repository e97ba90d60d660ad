import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { record, saveTrace, traceAgent, traceTool } from '@stepfork/recorder';
import {
  addEvent,
  createTrace,
  loadTrace,
  runEndEvent,
  runStartEvent,
  toolCallEvent,
  toolResultEvent,
} from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { formatReport, replay } from '../../src/index.js';
import { asAgent, bundlePath, recordRun } from '../recording.js';

const add = traceTool('add', async (input: { a: number; b: number }) => input.a + input.b);
const nothing = (): null => null;

describe('inside a replay', () => {
  it('record writes nothing, and setOutput sets the output', async () => {
    const path = bundlePath();
    const run = (output: string) =>
      record('agent', { output }, async (session) => {
        session.setOutput({ sum: await add({ a: 1, b: 2 }) });
        session.stateChange('sum', null, 3);
        return 'not this';
      });
    await run(path);
    const untouched = join(dirname(path), 'other.sftrace');
    const report = await replay(path, () => run(untouched));
    expect(report).toMatchObject({ verdict: 'matched', output: { sum: 3 }, recording: { output: { sum: 3 } } });
    expect(readdirSync(dirname(path))).toEqual(['run.sftrace']);
  });

  it('traceAgent writes nothing, gets the recorded arguments, and its return value is the output', async () => {
    const path = bundlePath();
    const sum = traceAgent({ name: 'sum', output: path }, async (a: number, b: number) => add({ a, b }));
    await sum(2, 3);
    const report = await replay(path, sum);
    expect(report).toMatchObject({ verdict: 'matched', output: 5, recording: { agentName: 'sum' } });
    expect(readdirSync(dirname(path))).toEqual(['run.sftrace']);
    expect(loadTrace(path).run_id).toBe(report.recording.runId);
  });

  it('the run of the recorded name counts, not what the entrypoint makes of it', async () => {
    const path = await recordRun(() => add({ a: 1, b: 2 }));
    const report = await replay(path, async () => {
      const other = await record('other', () => 'no');
      const sum = await record('agent', () => add({ a: 1, b: 2 }));
      return [other, sum];
    });
    expect(report).toMatchObject({ verdict: 'matched', output: 3 });
  });

  it('an entrypoint without record is the run itself', async () => {
    const path = await recordRun(() => add({ a: 1, b: 2 }));
    expect(await replay(path, () => add({ a: 1, b: 2 }))).toMatchObject({ verdict: 'matched', output: 3 });
  });
});

describe('a replay', () => {
  it('of a run without calls notes that it proves nothing', async () => {
    const report = await replay(
      await recordRun(() => 'done'),
      asAgent(() => 'done'),
    );
    expect(report.verdict).toBe('matched');
    expect(report.notes).toEqual(['the recording holds no calls, so this replay proves nothing about them']);
    expect(formatReport(report)).toContain(report.notes[0]);
  });

  it('whose calls match but whose output does not has another output', async () => {
    const path = await recordRun(() => add({ a: 1, b: 2 }));
    const report = await replay(
      path,
      asAgent(async () => -(await add({ a: 1, b: 2 }))),
    );
    expect(report).toMatchObject({ verdict: 'output-changed', facets: { dependencies: 'matched', output: 'changed' } });
    expect(formatReport(report)).toContain('  output     recorded 3, got -3');
  });

  it('of a bundle that was saved by hand goes like any other', async () => {
    const trace = createTrace({ agentName: 'agent', status: 'completed' });
    addEvent(trace, runStartEvent({ input: { a: 1 } }));
    const call = addEvent(trace, toolCallEvent({ name: 'add', input: { a: 1, b: 2 } }));
    addEvent(trace, toolResultEvent({ name: 'add', output: 30, parent_id: call.id }));
    addEvent(trace, runEndEvent({ run_status: 'completed', output: 30 }));
    const path = bundlePath();
    saveTrace(trace, path);
    for (const source of [trace, path]) {
      const report = await replay(source, (input: { a: number }) => add({ ...input, b: 2 }));
      expect(report).toMatchObject({ verdict: 'matched', output: 30 });
    }
  });

  it('leaves the agent free of what it does to its answers: the report keeps what was', async () => {
    const list = traceTool('list', async () => ({ items: ['a'] }));
    const agent = async (): Promise<unknown> => {
      const answer = await list();
      answer.items.push('b');
      return answer;
    };
    const path = await recordRun(agent);
    const report = await replay(path, asAgent(agent));
    expect(report).toMatchObject({ verdict: 'matched', output: { items: ['a', 'b'] } });
    expect((await replay(path, asAgent(agent))).verdict).toBe('matched');
  });

  it.each([
    ['bad_source', 12, nothing, {}, 'replay needs the path of a bundle, or a trace as loadTrace gives it'],
    ['bad_entrypoint', null, 'agent', {}, 'replay needs a function as its entrypoint, not string'],
    [
      'bad_option',
      null,
      nothing,
      { order: 'loose' },
      "option order must be 'recorded' or 'strict' or 'any', not 'loose'",
    ],
    ['bad_option', null, nothing, { noProgressMs: 0 }, 'option noProgressMs must be a number of milliseconds above 0'],
  ])('refuses what it cannot use: %s', async (code, source, entrypoint, options, message) => {
    const trace = source ?? createTrace({ agentName: 'agent' });
    await expect(replay(trace as never, entrypoint as never, options as never)).rejects.toMatchObject({
      code,
      message,
    });
  });
});
