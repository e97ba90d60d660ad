import { join } from 'node:path';
import { record, type StartedRecording, startRecording, traceTool } from '@stepfork/recorder';
import { type BoundaryHandler, HANDLER_VERSION, slot } from '@stepfork/recorder/boundary';
import { fromTraceValue } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { bundlesIn, eventsOf, loadSound, outline, ownDirectory } from '../support/bundles.js';
import { collectWarnings } from '../support/warnings.js';

const directory = ownDirectory();
const warnings = collectWarnings();
const path = (name = 'run'): string => join(directory(), `${name}.sftrace`);
const search = traceTool('search', async (city: string) => [`${city} 1`]);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('startRecording', () => {
  it('records what its caller goes on to do, until the block is left', async () => {
    const agent = async (city: string): Promise<number> => {
      await using session = startRecording('agent', { output: path(), input: { city }, tags: { requestId: 'r' } });
      await sleep(1);
      const found = await search(city);
      session.setOutput({ found: found.length });
      return found.length;
    };
    expect(await agent('Lisbon')).toBe(1);
    const trace = loadSound(path());
    expect(outline(trace)).toEqual(['0 run_start', '1 tool_call search < 0', '2 tool_result search < 1', '3 run_end']);
    expect(trace).toMatchObject({ agent_name: 'agent', status: 'completed', failure: null });
    expect(trace.events[0]).toMatchObject({ input: { city: 'Lisbon' } });
    expect(eventsOf(trace, 'run_end')[0]?.output).toEqual({ found: 1 });
  });

  it('records a failure that its caller caught, and throws nothing itself', async () => {
    const error = Object.assign(new RangeError('too far'), { code: 'E_FAR' });
    const agent = async (): Promise<void> => {
      await using session = startRecording('agent', { output: path() });
      try {
        throw error;
      } catch (thrown) {
        session.fail(thrown);
        throw thrown;
      }
    };
    await expect(agent()).rejects.toBe(error);
    const trace = loadSound(path());
    expect(outline(trace)).toEqual(['0 run_start', '1 error RangeError < 0', '2 run_end']);
    expect(trace.failure).toEqual({ type: 'RangeError', message: 'too far', step: 1 });
    expect(fromTraceValue(eventsOf(trace, 'error')[0]?.details ?? null)).toMatchObject({ code: 'E_FAR' });
  });

  it('takes a block that was left without an output, an end or a failure for one that threw', async () => {
    const agent = async (): Promise<void> => {
      await using _session = startRecording('agent', { output: path() });
      throw new Error('on its way out');
    };
    await expect(agent()).rejects.toThrow('on its way out');
    expect(loadSound(path())).toMatchObject({
      status: 'failed',
      failure: {
        type: 'Unfinished',
        message: 'the block that held the session was left before setOutput(), end() or fail()',
      },
    });
  });

  it('ends by end(), with nothing as its output where none was set', async () => {
    const session = startRecording('agent', { output: path() });
    session.stateChange('phase', 1, 2);
    session.error('odd');
    session.end();
    const trace = loadSound(path());
    expect(outline(trace)).toEqual(['0 run_start', '1 state_change < 0', '2 error string < 0', '3 run_end']);
    expect(fromTraceValue(eventsOf(trace, 'run_end')[0]?.output ?? null)).toBeUndefined();
  });

  it('B178 refuses its session after the end, and is disposed of twice without harm', async () => {
    const session = startRecording('agent', { output: path() });
    session.end();
    const uses: ((session: StartedRecording) => unknown)[] = [
      ({ end }) => end(),
      ({ fail }) => fail(new Error('late')),
      ({ setOutput }) => setOutput(1),
      ({ stateChange }) => stateChange('k', 1, 2),
      ({ error }) => error('late'),
      ({ llmCall }) => llmCall({ model: 'm', input: 1 }),
    ];
    for (const use of uses) {
      expect(() => use(session)).toThrow(expect.objectContaining({ code: 'session_ended' }));
    }
    await session[Symbol.asyncDispose]();
    await session[Symbol.asyncDispose]();
    expect(loadSound(path()).totals.events).toBe(2);
  });

  it("gives its caller's context back when it ends", async () => {
    const around = slot().frames.getStore();
    const session = startRecording('agent', { output: path() });
    expect(slot().frames.getStore()).not.toBe(around);
    session.end();
    expect(slot().frames.getStore()).toBe(around);
  });

  it('does not hold on to the code around the function that it was called in', async () => {
    const agent = async (name: string): Promise<void> => {
      await using session = startRecording('agent', { output: path(name) });
      await sleep(1);
      session.setOutput(await search(name));
    };
    await agent('first');
    // This function saw the first run's context, which was over by then.
    expect(await search('between')).toEqual(['between 1']);
    await agent('second');
    await record('third', { output: path('third') }, () => search('third'));
    expect(await warnings('run_ended')).toEqual([]);
    for (const name of ['first', 'second', 'third']) {
      expect(eventsOf(loadSound(path(name)), 'tool_call').map(({ input }) => input)).toEqual([{ args: [name] }]);
    }
  });

  it('keeps concurrent runs of one agent apart, though the second starts in the context of the first', async () => {
    const agent = async (name: string, ms: number): Promise<void> => {
      await using session = startRecording('agent', { output: path(name) });
      await sleep(ms);
      await search(name);
      session.setOutput(name);
    };
    await Promise.all([agent('a', 4), agent('b', 1)]);
    for (const name of ['a', 'b']) {
      expect(eventsOf(loadSound(path(name)), 'tool_call').map(({ input }) => input)).toEqual([{ args: [name] }]);
    }
  });

  it('documented limit: another agent that starts beside it, before its caller awaits, is a part of it', async () => {
    const agent = async (name: string): Promise<void> => {
      await using session = startRecording(name, { output: path(name) });
      await search(name);
      session.setOutput(name);
    };
    await Promise.all([agent('one'), agent('other')]);
    expect(bundlesIn(directory())).toEqual(['one.sftrace']);
    expect(eventsOf(loadSound(path('one')), 'tool_call')).toHaveLength(2);
  });

  it('is part of the run that it is called in', async () => {
    await record('outer', { output: path('outer') }, async (outer) => {
      await using inner = startRecording('inner', { output: path('inner') });
      expect(inner.runId).toBe(outer.runId);
      await search('x');
      inner.llmCall({ model: 'm', input: 1 }).respond('text');
      inner.setOutput('not the outer output');
    });
    expect(bundlesIn(directory())).toEqual(['outer.sftrace']);
    expect(outline(loadSound(path('outer')))).toEqual([
      '0 run_start',
      '1 tool_call search < 0',
      '2 tool_result search < 1',
      '3 llm_request < 0',
      '4 llm_response < 3',
      '5 run_end',
    ]);
    expect(await warnings('nested_run')).toHaveLength(1);
  });

  it('B177 is inert in a replay, which is told what it came to', async () => {
    const told: unknown[] = [];
    const handler: BoundaryHandler = {
      version: HANDLER_VERSION,
      mode: 'replay',
      active: true,
      dispatch: () => 'recorded',
      innerRun: (agentName) => ({ runId: 'run_r', settled: (outcome) => told.push([agentName, outcome]) }),
    };
    await slot().frames.run({ handler, call: null, parent: null }, async () => {
      await using session = startRecording('agent', { output: path() });
      expect(await search('x')).toBe('recorded');
      session.llmCall({ model: 'm', input: 1 }).fail(new Error('heard by nobody'));
      session.setOutput(7);
    });
    expect(told).toEqual([['agent', { output: 7 }]]);
    expect(bundlesIn(directory())).toEqual([]);
  });

  it('says at once what is wrong, before anything runs', async () => {
    await record('agent', { output: path() }, () => 1);
    expect(() => startRecording('agent', { output: path() })).toThrow(
      expect.objectContaining({ code: 'output_exists' }),
    );
    expect(() => startRecording('')).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    const first = startRecording('agent', { output: path('both') });
    expect(() => startRecording('agent', { output: path('both') })).toThrow(
      expect.objectContaining({ code: 'output_busy' }),
    );
    first.end();
    expect(loadSound(path('both')).status).toBe('completed');
  });
});
