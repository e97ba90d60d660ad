import {
  addEvent,
  createTrace,
  errorEvent,
  type Json,
  llmRequestEvent,
  llmResponseEvent,
  type Trace,
  toolCallEvent,
  toolResultEvent,
} from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { traceOf } from '../../test/hand-built.js';
import { createPlan, type ReplayPlan } from './plan.js';

const call = (name: string, input: Json = {}, parent_id: string | null = null) =>
  toolCallEvent({ name, input, parent_id });
const result = (name: string, output: Json, parent_id: string | null = null) =>
  toolResultEvent({ name, output, parent_id });

function outcomesOf(plan: ReplayPlan): readonly unknown[] {
  return plan.calls.map(({ outcome }) => {
    if (outcome === null) return null;
    return outcome.type === 'returned' ? outcome.output : `${outcome.errorType}: ${outcome.message}`;
  });
}

describe('createPlan', () => {
  it('B182 takes tool calls and model requests in file order, counted from 0', () => {
    const ask = llmRequestEvent({ model: 'm', input: 'hi' });
    const plan = createPlan(traceOf([call('a'), ask, call('b')]));
    expect(plan.calls.map(({ index, kind, name }) => [index, kind, name])).toEqual([
      [0, 'tool', 'a'],
      [1, 'llm', 'm'],
      [2, 'tool', 'b'],
    ]);
  });

  it('B183 pairs a call with the first result among its children, whatever its name', () => {
    const a = call('a');
    expect(outcomesOf(createPlan(traceOf([a, result('other', 1, a.id), result('a', 2, a.id)])))).toEqual([1]);
  });

  it('B184 B185 B186 pairs results without parents by name, up to the next call of that name', () => {
    const events = [call('a'), call('a'), result('a', 1), result('a', 2)];
    expect(outcomesOf(createPlan(traceOf(events)))).toEqual([null, 1]);
  });

  it('B187 B203 reads a failure from the error event, else from the output, else knows nothing of it', () => {
    const failed = (output: Json, parent_id: string) =>
      toolResultEvent({ name: 'a', output, parent_id, status: 'error' });
    const [a, b, c] = [call('a'), call('a'), call('a')];
    const first = failed({}, a.id);
    const events = [
      a,
      first,
      errorEvent({ error_type: 'ToolTimeout', message: 'slow', parent_id: first.id }),
      b,
      failed({ error_type: 'ValueError', message: 'odd' }, b.id),
      c,
      failed(null, c.id),
    ];
    expect(outcomesOf(createPlan(traceOf(events)))).toEqual([
      'ToolTimeout: slow',
      'ValueError: odd',
      'DependencyError: recorded dependency failure',
    ]);
  });

  it('B188 B189 pairs a request with its response, else with its error, never by position', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((input) => llmRequestEvent({ model: 'm', input }));
    const events = [a, b, c].filter((event) => event !== undefined);
    const plan = createPlan(
      traceOf([
        ...events,
        errorEvent({ error_type: 'LLMError', message: 'no', parent_id: a?.id ?? null }),
        llmResponseEvent({ output: 'yes', parent_id: a?.id ?? null }),
        errorEvent({ error_type: 'LLMError', message: 'model unavailable', parent_id: b?.id ?? null }),
        llmResponseEvent({ output: 'whose?' }),
      ]),
    );
    expect(outcomesOf(plan)).toEqual(['yes', 'LLMError: model unavailable', null]);
  });

  it("B191 takes a call's policy from its event", () => {
    const event = toolCallEvent({ name: 'a', input: {}, replay_policy: 'forbidden' });
    expect(createPlan(traceOf([event])).calls[0]?.policy).toBe('forbidden');
  });

  it('B214 hides what the body of another call made', () => {
    const outer = call('outer');
    const inner = call('inner', {}, outer.id);
    const plan = createPlan(traceOf([outer, inner, result('inner', 1, inner.id), result('outer', 2, outer.id)]));
    expect(plan.calls.map(({ hidden, detached }) => [hidden, detached])).toEqual([
      [false, false],
      [true, false],
    ]);
  });

  it('marks a nested call that outlives the call around it as detached', () => {
    const outer = call('outer');
    const inner = call('inner', {}, outer.id);
    const plan = createPlan(traceOf([outer, inner, result('outer', 2, outer.id), result('inner', 1, inner.id)]));
    expect(plan.calls[1]).toMatchObject({ hidden: true, detached: true });
  });

  it('B215 expects calls that are chained to an outcome (chosen differently)', () => {
    const ask = llmRequestEvent({ model: 'm', input: 'hi' });
    const answer = llmResponseEvent({ output: 'use the tool', parent_id: ask.id });
    const plan = createPlan(traceOf([ask, answer, call('weather', {}, answer.id)]));
    expect(plan.calls.map(({ hidden }) => hidden)).toEqual([false, false]);
  });

  it('B217 takes a parent that is no earlier event for none', () => {
    const self = toolCallEvent({ id: 'evt_self', parent_id: 'evt_self', name: 'a', input: {} });
    expect(createPlan(traceOf([self])).calls[0]?.frame).toBeNull();
  });

  it('redacts inputs of a trace that was never saved, and names calls by what is left', () => {
    const secret = call('login', { user: 'ann', password: 'hunter2hunter2' });
    const planned = createPlan(traceOf([secret])).calls[0];
    expect(planned?.input).toEqual({ user: 'ann', password: '[REDACTED]' });
    expect(planned?.redacted).toBe(true);
  });

  it('names the event whose input has no canonical form', () => {
    const odd = call('a', '\ud800');
    expect(() => createPlan(traceOf([odd]))).toThrow(odd.id);
  });

  it('knows how a failed run failed, and that one without an end is still running', () => {
    const trace: Trace = createTrace({
      agentName: 'agent',
      status: 'failed',
      failure: { type: 'RangeError', message: 'far', step: 0 },
    });
    expect(createPlan(trace).run).toMatchObject({ status: 'failed', failure: { type: 'RangeError', message: 'far' } });
    const open = createTrace({ agentName: 'agent' });
    addEvent(open, call('a'));
    expect(createPlan(open).run.status).toBe('running');
  });
});
