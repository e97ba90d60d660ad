import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { traceTool } from '@stepfork/recorder';
import { loadTrace } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { createPlan, replay } from '../../src/index.js';
import { call, failedResult, failure, planned, request, response, result, traceOf } from './traces.js';

const BUNDLES = new URL('../../../../../shared/reference/bundles/', import.meta.url);

describe('the recorded calls', () => {
  it('B182 are the tool calls and the requests, in file order, counted from 0', () => {
    const calls = planned(
      call('a', {}, { id: 'a' }),
      request('acme', 'small', 'hi', { id: 'b' }),
      result('a', 1, { under: 'a' }),
      call('c', {}),
      response('hello', { under: 'b' }),
    );
    expect(calls.map(({ index, kind, name }) => [index, kind, name])).toEqual([
      [0, 'tool', 'a'],
      [1, 'llm', 'small'],
      [2, 'tool', 'c'],
    ]);
  });

  it('B183 are answered by the first result under them, whatever its name', () => {
    const [a] = planned(
      call('a', {}, { id: 'a' }),
      result('other', 'first', { under: 'a' }),
      result('a', 'second', { under: 'a' }),
    );
    expect(a?.outcome).toMatchObject({ type: 'returned', output: 'first' });
  });

  it('B184 are answered by the next result of their name where none is under them, up to the next call of it', () => {
    const calls = planned(call('a', 1), call('b', 1), result('a', 'of a'), call('a', 2), result('b', 'of b'));
    expect(calls.map(({ outcome }) => outcome?.type === 'returned' && outcome.output)).toEqual(['of a', 'of b', false]);
  });

  it('B185 of one name whose results stand after both: the second one gets the first result', () => {
    const calls = planned(call('a', 1), call('a', 2), result('a', 'x'), result('a', 'y'));
    expect(calls.map(({ outcome }) => outcome?.type === 'returned' && outcome.output)).toEqual([false, 'x']);
  });

  it('B186 without a result have no outcome', () => {
    expect(planned(call('a', 1))[0]).toMatchObject({ outcome: null, end: null });
  });

  it('B187 that failed get type and message from the error under the result, else from its output', () => {
    const calls = planned(
      call('a', 1, { id: 'a' }),
      failedResult('a', { error_type: 'Other', message: 'other' }, { id: 'ar', under: 'a' }),
      failure('ToolTimeout', 'too slow', { under: 'ar' }),
      call('b', 1, { id: 'b' }),
      failedResult('b', { error_type: 'Busy', message: 'try later' }, { under: 'b' }),
    );
    expect(calls.map(({ outcome }) => outcome)).toMatchObject([
      { type: 'threw', errorType: 'ToolTimeout', message: 'too slow' },
      { type: 'threw', errorType: 'Busy', message: 'try later' },
    ]);
  });

  it('B188 of a model are answered by the response or the error under them, never by position', () => {
    const calls = planned(
      request('acme', 'small', 1, { id: 'a' }),
      response('unlinked'),
      request('acme', 'small', 2, { id: 'b' }),
      failure('LLMError', 'overloaded', { under: 'b' }),
    );
    expect(calls.map(({ outcome }) => outcome)).toMatchObject([null, { type: 'threw', message: 'overloaded' }]);
  });

  it('B189 of a model with both a response and an error count as answered', () => {
    const [only] = planned(
      request('acme', 'small', 1, { id: 'a' }),
      failure('LLMError', 'overloaded', { under: 'a' }),
      response('hello', { under: 'a' }),
    );
    expect(only?.outcome).toMatchObject({ type: 'returned', output: 'hello' });
  });

  it.each([
    ['acme', "LLM 'acme/small'"],
    [null, "LLM 'small'"],
  ])('B190 of a model are named with its provider, where there is one: %j', async (provider, label) => {
    const report = await replay(traceOf(request(provider, 'small', 1)), () => null);
    expect(report.divergence?.message).toBe(`recorded call #1 ${label} never came`);
  });

  it('B190 of a tool are named by it', async () => {
    const report = await replay(traceOf(call('search', 1)), () => null);
    expect(report.divergence?.message).toBe("recorded call #1 tool 'search' never came");
  });

  it('B191 keep the policy of their own event', () => {
    const calls = planned(call('a', 1, {}, 'forbidden'), call('b', 1, {}, 'live'));
    expect(calls.map(({ policy }) => policy)).toEqual(['forbidden', 'live']);
  });

  it('B192 of a run that failed by its model or by a tool say so', () => {
    const [llm] = planned(
      request('acme', 'small', 'hi', { id: 'r' }),
      failure('LLMError', 'model unavailable', { under: 'r' }),
    );
    expect(llm?.outcome).toMatchObject({ errorType: 'LLMError', message: 'model unavailable' });
    for (const path of referenceBundles('failed_tool_run')) {
      const [tool, ...others] = createPlan(loadTrace(path)).calls;
      expect(others).toEqual([]);
      expect(tool).toMatchObject({ kind: 'tool', outcome: { type: 'threw', errorType: 'ToolTimeout' } });
    }
  });
});

describe('calls that are nested', () => {
  it('B214 in a call that is answered from the recording are not expected', async () => {
    const outer = traceTool('outer', () => 'never run');
    const trace = traceOf(
      call('outer', {}, { id: 'o' }),
      call('inner', {}, { id: 'i', under: 'o' }),
      result('inner', 1, { under: 'i' }),
      result('outer', 'recorded', { under: 'o' }),
    );
    const report = await replay(trace, () => outer());
    expect(report).toMatchObject({ verdict: 'matched', output: 'recorded', counts: { recorded: 1, substituted: 1 } });
  });

  it('B215 are told from those that merely stand after an outcome: a chain hides nothing', () => {
    const calls = planned(
      request('acme', 'small', 'hi', { id: 'r' }),
      response('use weather_lookup', { id: 's', under: 'r' }),
      call('weather_lookup', {}, { id: 't', under: 's' }),
      result('weather_lookup', 'sunny', { under: 't' }),
    );
    expect(calls.map(({ hidden }) => hidden)).toEqual([false, false]);
    for (const path of referenceBundles('successful_run')) {
      expect(createPlan(loadTrace(path)).calls.map(({ name, hidden }) => [name, hidden])).toContainEqual([
        'weather_lookup',
        false,
      ]);
    }
  });

  it('B217 in each other, in a cycle, end the walk instead of looping', () => {
    const calls = planned(call('a', 1, { id: 'a', under: 'b' }), call('b', 1, { id: 'b', under: 'a' }));
    expect(calls.map(({ frame }) => frame)).toEqual([null, 0]);
    expect(planned(call('self', 1, { id: 's', under: 's' }))[0]?.frame).toBeNull();
  });
});

/** The original's own bundle of that name, where the reference is at hand. */
function referenceBundles(name: string): readonly string[] {
  const path = fileURLToPath(new URL(`${name}.sftrace`, BUNDLES));
  return existsSync(path) ? [path] : [];
}
