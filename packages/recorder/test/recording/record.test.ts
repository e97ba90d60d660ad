import { join } from 'node:path';
import { llmRequest, record, traceAgent, traceTool } from '@stepfork/recorder';
import { fromTraceValue, hashJson } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { bundlesIn, eventsOf, loadSound, outline, ownDirectory } from '../support/bundles.js';

const directory = ownDirectory();
const path = (name = 'run'): string => join(directory(), `${name}.sftrace`);

class OrderError extends Error {
  override name = 'OrderError';
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

const search = traceTool('search', async (city: string) => [`${city} 1`]);
const fail = traceTool('fail', async (): Promise<never> => {
  throw new OrderError('no such order', 'E404');
});

describe('a recorded run', () => {
  it('B153 is a run_start, its events, a run_end and a completed manifest', async () => {
    const result = await record('agent', { output: path(), input: { city: 'Lisbon' } }, async (session, input) => {
      expect(session.runId).toMatch(/^run_[0-9a-f]{32}$/);
      return (await search(input.city)).length;
    });
    expect(result).toBe(1);
    const trace = loadSound(path());
    expect(outline(trace)).toEqual(['0 run_start', '1 tool_call search < 0', '2 tool_result search < 1', '3 run_end']);
    expect(trace).toMatchObject({
      agent_name: 'agent',
      status: 'completed',
      failure: null,
      totals: { events: 4, llm_calls: 0, tool_calls: 1, cost_usd: null },
    });
    expect(trace.events[0]).toMatchObject({ input: { city: 'Lisbon' }, status: 'ok' });
    expect(trace.events[1]).toMatchObject({ input: { args: ['Lisbon'] } });
    expect(trace.events[2]).toMatchObject({ output: ['Lisbon 1'], status: 'ok' });
    expect(trace.events[3]).toMatchObject({ run_status: 'completed', output: 1 });
  });

  it('B154 B155 that throws holds an error event, a failed run_end and the failure, and throws the same', async () => {
    const error = new OrderError('', 'E1');
    await expect(record('agent', { output: path() }, () => Promise.reject(error))).rejects.toBe(error);
    const trace = loadSound(path());
    expect(outline(trace)).toEqual(['0 run_start', '1 error OrderError < 0', '2 run_end']);
    expect(trace.failure).toEqual({ type: 'OrderError', message: 'OrderError', step: 1 });
    expect(trace.status).toBe('failed');
    const [event] = eventsOf(trace, 'error');
    expect(fromTraceValue(event?.details ?? null)).toMatchObject({ name: 'OrderError', message: '', code: 'E1' });
  });

  it("B155 B165 holds a tool's error twice when it escapes: under its result and under the run", async () => {
    await expect(record('agent', { output: path() }, () => fail())).rejects.toMatchObject({ code: 'E404' });
    const trace = loadSound(path());
    expect(outline(trace)).toEqual([
      '0 run_start',
      '1 tool_call fail < 0',
      '2 tool_result fail < 1',
      '3 error OrderError < 2',
      '4 error OrderError < 0',
      '5 run_end',
    ]);
    expect(trace.failure).toEqual({ type: 'OrderError', message: 'no such order', step: 4 });
    expect(trace.events[2]).toMatchObject({
      status: 'error',
      output: { error_type: 'OrderError', message: 'no such order' },
    });
  });

  it('completes when the agent deals with the error', async () => {
    await record('agent', { output: path() }, () => fail().catch(() => 'handled'));
    expect(loadSound(path())).toMatchObject({ status: 'completed', failure: null });
  });

  it('B156 calls an error without a message by its name', async () => {
    await expect(record('agent', { output: path() }, () => Promise.reject(new RangeError()))).rejects.toThrow();
    expect(loadSound(path()).failure).toMatchObject({ type: 'RangeError', message: 'RangeError' });
  });

  it('B157 that throws has no output, also where one was set', async () => {
    const run = record('agent', { output: path() }, (session) => {
      session.setOutput('half');
      throw new Error('no');
    });
    await expect(run).rejects.toThrow('no');
    expect(eventsOf(loadSound(path()), 'run_end')[0]).toMatchObject({ run_status: 'failed', output: null });
  });

  it('keeps a thrown value that is no error exactly', async () => {
    await expect(record('agent', { output: path() }, () => Promise.reject(undefined))).rejects.toBeUndefined();
    const [event] = eventsOf(loadSound(path()), 'error');
    expect(event).toMatchObject({ error_type: 'undefined', message: 'undefined' });
    expect(fromTraceValue(event?.details ?? null)).toBeUndefined();
  });

  it('takes its output from setOutput, else from what was returned, undefined included', async () => {
    await record('agent', { output: path('set') }, (session) => {
      session.setOutput({ notify: true });
      return 'returned';
    });
    await record('agent', { output: path('nothing') }, () => {});
    expect(eventsOf(loadSound(path('set')), 'run_end')[0]?.output).toEqual({ notify: true });
    expect(fromTraceValue(eventsOf(loadSound(path('nothing')), 'run_end')[0]?.output ?? null)).toBeUndefined();
  });

  it('B159 B160 has every event under the innermost call whose body is running', async () => {
    const inner = traceTool('inner', (value: number) => value * 2);
    const outer = traceTool('outer', async (value: number) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return llmRequest({ model: 'm', input: value, call: async () => inner(value) });
    });
    await record('agent', { output: path() }, async (session) => {
      session.stateChange('phase', null, 'start');
      const both = await Promise.all([outer(1), inner(9)]);
      session.error(new Error('seen'));
      return both;
    });
    expect(outline(loadSound(path()))).toEqual([
      '0 run_start',
      '1 state_change < 0',
      '2 tool_call outer < 0',
      '3 tool_call inner < 0',
      '4 tool_result inner < 3',
      '5 llm_request < 2',
      '6 tool_call inner < 5',
      '7 tool_result inner < 6',
      '8 llm_response < 5',
      '9 tool_result outer < 2',
      '10 error Error < 0',
      '11 run_end',
    ]);
  });

  it('B166 holds the error of a model under its request, and no response', async () => {
    const call = () => Promise.reject(new OrderError('overloaded', 'E529'));
    const run = record('agent', { output: path() }, () =>
      llmRequest({ provider: 'p', model: 'm', input: 'hi', call }).catch(() => 'fallback'),
    );
    expect(await run).toBe('fallback');
    const trace = loadSound(path());
    expect(outline(trace)).toEqual(['0 run_start', '1 llm_request < 0', '2 error OrderError < 1', '3 run_end']);
    expect(trace.events[1]).toMatchObject({ provider: 'p', model: 'm', input: 'hi' });
  });

  it('B171 B172 B174 holds tokens, cost and model of a response', async () => {
    const response = { model: 'm-1', usage: { prompt_tokens: 3, completion_tokens: 4, cost: 0.5 } };
    await record('agent', { output: path() }, async () => {
      await llmRequest({ model: 'm', input: 1, call: async () => response });
      llmRequest({
        model: 'm',
        input: 2,
        call: () => 'text',
        usage: (text) => ({ totalTokens: text.length, costUsd: 1 }),
      });
      llmRequest({
        model: 'm',
        input: 3,
        call: () => 'text',
        usage: () => {
          throw new Error('no');
        },
      });
    });
    const trace = loadSound(path());
    const [first, second, third] = eventsOf(trace, 'llm_response');
    expect(first).toMatchObject({
      model: 'm-1',
      prompt_tokens: 3,
      completion_tokens: 4,
      total_tokens: 7,
      cost_usd: 0.5,
    });
    expect(second).toMatchObject({ model: 'm', prompt_tokens: null, total_tokens: 4, cost_usd: 1 });
    expect(third).toMatchObject({ model: 'm', total_tokens: null, cost_usd: null, output: 'text' });
    expect(trace.totals).toMatchObject({ llm_calls: 3, cost_usd: 1.5 });
  });

  it('B173 measures whole milliseconds, never negative', async () => {
    await record('agent', { output: path() }, () => search('x'));
    const trace = loadSound(path());
    for (const { duration_ms } of [...eventsOf(trace, 'tool_result'), trace.totals]) {
      expect(Number.isInteger(duration_ms) && (duration_ms as number) >= 0).toBe(true);
    }
    expect(eventsOf(trace, 'tool_call')[0]?.duration_ms).toBeNull();
  });

  it('B175 says who wrote it', async () => {
    await record('agent', { output: path(), tags: { requestId: 'r-1' } }, () => 1);
    const trace = loadSound(path());
    expect(trace.environment).toEqual({
      python: null,
      os: process.platform,
      stepfork_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    expect(trace.runtime[0]).toMatchObject({
      type: 'runtime',
      language: 'node',
      language_version: process.versions.node,
      tags: { requestId: 'r-1' },
    });
  });

  it('B176 lies under .stepfork/traces unless told otherwise', async () => {
    const before = process.cwd();
    process.chdir(directory());
    try {
      let runId = '';
      await record('my agent!', (session) => {
        runId = session.runId;
      });
      expect(bundlesIn(join(directory(), '.stepfork', 'traces'))).toEqual([`my-agent-${runId}.sftrace`]);
    } finally {
      process.chdir(before);
    }
  });

  it('B176 has no credential of the agent name in its own name', async () => {
    const before = process.cwd();
    process.chdir(directory());
    try {
      let runId = '';
      await record('api_key=tango-7-whisky', (session) => {
        runId = session.runId;
      });
      expect(bundlesIn(join(directory(), '.stepfork', 'traces'))).toEqual([`api_key-REDACTED-${runId}.sftrace`]);
    } finally {
      process.chdir(before);
    }
  });

  it('B179 has a null input where none was given', async () => {
    await record('agent', { output: path() }, () => 1);
    expect(loadSound(path()).events[0]).toMatchObject({ input: null, input_hash: hashJson(null) });
  });

  it('B180 has the replay policy on the call alone', async () => {
    const live = traceTool({ name: 'live', replayPolicy: 'live' }, () => 1);
    await record('agent', { output: path() }, () => live());
    const trace = loadSound(path());
    expect(eventsOf(trace, 'tool_call')[0]?.replay_policy).toBe('live');
    expect(eventsOf(trace, 'tool_result')[0]?.replay_policy).toBe('frozen');
  });

  it('tells a promise from a value in the runtime file', async () => {
    const sync = traceTool('sync', () => 1);
    await record('agent', { output: path() }, async () => [sync(), await search('x'), await fail().catch(() => 0)]);
    const trace = loadSound(path());
    const ids = eventsOf(trace, 'tool_call').map(({ id }) => id);
    const answered = trace.runtime.filter((entry) => entry.type === 'call');
    expect(answered).toEqual([
      { type: 'call', call_id: ids[1], answered: 'promise', turns: expect.any(Array) },
      { type: 'call', call_id: ids[2], answered: 'promise', turns: expect.any(Array) },
    ]);
  });

  it('tells an answer that came by promise callbacks alone from one that took its time', async () => {
    const prompt = traceTool('prompt', async () => await Promise.resolve(await 1));
    const slow = traceTool('slow', () => new Promise((resolve) => setTimeout(resolve, 5)));
    await record('agent', { output: path() }, async () => {
      await prompt();
      await slow();
      await Promise.all([prompt(), slow(), prompt()]);
    });
    const { runtime } = loadSound(path());
    const turns = runtime.flatMap((entry) => (entry.type === 'call' && entry.turns !== undefined ? [entry.turns] : []));
    // In the order in which they were answered.
    expect(turns.map(([made, ended]) => made === ended)).toEqual([true, false, true, true, false]);
  });

  it('holds arguments and results as they were, whatever becomes of them', async () => {
    const tool = traceTool('mutates', (order: { items: string[] }) => {
      order.items.push('added');
      return order;
    });
    await record('agent', { output: path() }, () => {
      tool({ items: ['a'] }).items.length = 0;
    });
    const trace = loadSound(path());
    expect(eventsOf(trace, 'tool_call')[0]?.input).toEqual({ items: ['a'] });
    expect(eventsOf(trace, 'tool_result')[0]?.output).toEqual({ items: ['a', 'added'] });
  });

  it('holds secrets redacted, and hashes of what is written', async () => {
    const login = traceTool('login', (_given: { password: string }) => ({ ok: true }));
    await record('agent', { output: path() }, () => login({ password: 'hunter2-hunter2' }));
    const [call] = eventsOf(loadSound(path()), 'tool_call');
    expect(call).toMatchObject({ input: { password: '[REDACTED]' }, redactions: ['/input/password'] });
    expect(call?.input_hash).toBe(hashJson({ password: '[REDACTED]' }));
  });

  it('leaves a call that did not answer before the end without an outcome', async () => {
    const slow = traceTool('slow', () => new Promise<number>((resolve) => setTimeout(resolve, 20, 1)));
    const pending = await record('agent', { output: path() }, () => ({ pending: slow() }));
    expect(await pending.pending).toBe(1);
    expect(outline(loadSound(path()))).toEqual(['0 run_start', '1 tool_call slow < 0', '2 run_end']);
  });

  it('replaces a bundle when asked to', async () => {
    await record('agent', { output: path() }, () => 'first');
    await record('agent', { output: path(), overwrite: true }, () => 'second');
    expect(eventsOf(loadSound(path()), 'run_end')[0]?.output).toBe('second');
    expect(bundlesIn(directory())).toEqual(['run.sftrace']);
  });
});

describe('a traced agent', () => {
  it('records each call as a run, its arguments as the input', async () => {
    const agent = traceAgent({ name: 'agent', output: path() }, async (city: string, days: number) =>
      city.repeat(days),
    );
    expect(await agent('x', 2)).toBe('xx');
    const trace = loadSound(path());
    expect(trace.events[0]).toMatchObject({ input: { args: ['x', 2] } });
    expect(eventsOf(trace, 'run_end')[0]?.output).toBe('xx');
  });

  it('stays synchronous, and throws its own error', () => {
    const error = new Error('no');
    const agent = traceAgent({ name: 'agent', output: path() }, (order: { id: number }) => {
      if (order.id === 0) throw error;
      return order.id;
    });
    expect(() => agent({ id: 0 })).toThrow(error);
    const trace = loadSound(path());
    expect(trace.events[0]).toMatchObject({ input: { id: 0 } });
    expect(trace).toMatchObject({ status: 'failed', failure: { type: 'Error', message: 'no', step: 1 } });
  });

  it('inside another run is a part of that run', async () => {
    const inner = traceAgent({ name: 'inner', output: path('inner') }, async () => search('x'));
    await record('outer', { output: path('outer') }, (session) =>
      record('middle', async (nested) => {
        expect(nested.runId).toBe(session.runId);
        nested.setOutput('not the outer output');
        nested.stateChange('k', 1, 2);
        return inner();
      }),
    );
    expect(bundlesIn(directory())).toEqual(['outer.sftrace']);
    const trace = loadSound(path('outer'));
    expect(outline(trace)).toEqual([
      '0 run_start',
      '1 state_change < 0',
      '2 tool_call search < 0',
      '3 tool_result search < 2',
      '4 run_end',
    ]);
    expect(eventsOf(trace, 'run_end')[0]?.output).toEqual(['x 1']);
  });
});
