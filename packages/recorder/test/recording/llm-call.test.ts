import { join } from 'node:path';
import { record, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { eventsOf, loadSound, outline, ownDirectory } from '../support/bundles.js';

const directory = ownDirectory();
const path = (): string => join(directory(), 'run.sftrace');

describe('a request told of by session.llmCall', () => {
  it('B166 B171 is recorded with its response or its error, under the call that it was made in', async () => {
    await record('agent', { output: path() }, (session) => {
      const plan = traceTool('plan', () => {
        const call = session.llmCall({ provider: 'p', model: 'm', input: { prompt: 'hi' } });
        call.respond({ text: 'hello' }, { model: 'm-1', promptTokens: 1, completionTokens: 2, costUsd: 0.25 });
      });
      plan();
      session.llmCall({ model: 'm', input: 1 }).fail(new RangeError('overloaded'));
      session.llmCall({ model: 'm', input: 2 }).respond({ usage: { prompt_tokens: 3, completion_tokens: 4 } });
    });
    const trace = loadSound(path());
    expect(outline(trace)).toEqual([
      '0 run_start',
      '1 tool_call plan < 0',
      '2 llm_request < 1',
      '3 llm_response < 2',
      '4 tool_result plan < 1',
      '5 llm_request < 0',
      '6 error RangeError < 5',
      '7 llm_request < 0',
      '8 llm_response < 7',
      '9 run_end',
    ]);
    const [told, read] = eventsOf(trace, 'llm_response');
    expect(told).toMatchObject({ model: 'm-1', total_tokens: 3, cost_usd: 0.25, output: { text: 'hello' } });
    expect(read).toMatchObject({ model: 'm', prompt_tokens: 3, total_tokens: 7, cost_usd: null });
    expect(trace.totals).toMatchObject({ llm_calls: 3, cost_usd: 0.25 });
  });

  it('is marked as made by hand, so that no replay waits for it at a boundary', async () => {
    await record('agent', { output: path() }, (session) => {
      session.llmCall({ provider: 'p', model: 'm', input: 1 }).respond(2);
    });
    const trace = loadSound(path());
    const [request] = eventsOf(trace, 'llm_request');
    expect(request).toMatchObject({ provider: 'p', model: 'm', replay_policy: 'manual' });
    expect(trace.runtime.filter(({ type }) => type === 'manual')).toEqual([{ type: 'manual', call_id: request?.id }]);
  });

  it('is recorded whatever its usage is', async () => {
    const odd = {
      get promptTokens(): number {
        throw new Error('no');
      },
    };
    await record('agent', { output: path() }, (session) => {
      for (const usage of [null, odd, 7] as never[]) session.llmCall({ model: 'm', input: 1 }).respond('x', usage);
    });
    const trace = loadSound(path());
    expect(trace.status).toBe('completed');
    expect(eventsOf(trace, 'llm_response').map(({ model, total_tokens }) => [model, total_tokens])).toEqual(
      Array(3).fill(['m', null]),
    );
  });

  it('has one outcome, and none after the end of its run', async () => {
    const late = await record('agent', { output: path() }, (session) => {
      const call = session.llmCall({ model: 'm', input: 1 });
      call.respond('first');
      expect(() => call.respond('second')).toThrow(expect.objectContaining({ code: 'llm_call_answered' }));
      expect(() => call.fail('third')).toThrow(expect.objectContaining({ code: 'llm_call_answered' }));
      return { call: session.llmCall({ model: 'm', input: 2 }) };
    });
    expect(() => late.call.respond('late')).toThrow(expect.objectContaining({ code: 'session_ended' }));
    expect(eventsOf(loadSound(path()), 'llm_response')).toHaveLength(1);
  });
});
