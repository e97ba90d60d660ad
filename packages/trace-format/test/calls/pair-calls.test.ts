import { describe, expect, it } from 'vitest';
import {
  addEvent,
  createTrace,
  errorEvent,
  llmRequestEvent,
  llmResponseEvent,
  pairCalls,
  type RecordedCall,
  runStartEvent,
  stateChangeEvent,
  type TraceEvent,
  toolCallEvent,
  toolResultEvent,
} from '../../src/write.js';

const tool = (id: string, parent: string | null, name = id): TraceEvent =>
  toolCallEvent({ id, parent_id: parent, name, input: {} });
const result = (id: string, parent: string | null, name = 'x', init: object = {}): TraceEvent =>
  toolResultEvent({ id, parent_id: parent, name, output: id, ...init });
const request = (id: string, parent: string | null, init: object = {}): TraceEvent =>
  llmRequestEvent({ id, parent_id: parent, model: 'm', input: {}, ...init });
const response = (id: string, parent: string | null): TraceEvent =>
  llmResponseEvent({ id, parent_id: parent, output: id });
const failure = (id: string, parent: string | null, init: object = {}): TraceEvent =>
  errorEvent({ id, parent_id: parent, error_type: 'E', message: 'm', ...init });

const outcomes = (calls: readonly RecordedCall[]): unknown[] => calls.map((call) => call.outcome?.event.id ?? null);
const frames = (events: readonly TraceEvent[]): (number | null)[] => pairCalls(events).map((call) => call.frame);

describe('calls and outcomes', () => {
  it('B182 B190 B191 are the calls in file order, with name, provider and policy', () => {
    const calls = pairCalls([
      runStartEvent(),
      toolCallEvent({ name: 'a', input: 1, replay_policy: 'forbidden' }),
      request('r', null, { provider: 'p' }),
      request('s', null),
    ]);
    expect(calls).toMatchObject([
      { index: 0, kind: 'tool', name: 'a', provider: null, input: 1, position: 1, policy: 'forbidden' },
      { index: 1, kind: 'llm', name: 'm', provider: 'p', position: 2, policy: 'frozen' },
      { index: 2, kind: 'llm', name: 'm', provider: null, position: 3 },
    ]);
  });

  it('B183 pair a tool call with the first result among its children, whatever its name', () => {
    const events = [tool('a', null), tool('b', null), result('rb', 'b', 'odd'), result('ra', 'a'), result('ra2', 'a')];
    expect(outcomes(pairCalls(events))).toEqual(['ra', 'rb']);
  });

  it('B184 B185 pair results without a parent by name, up to the next call of that name', () => {
    const events = [tool('c1', null, 'a'), tool('c2', null, 'a'), result('r1', null, 'a'), result('r2', null, 'a')];
    expect(outcomes(pairCalls(events))).toEqual([null, 'r1']);
    const other = [tool('c1', null, 'a'), tool('x', null, 'b'), result('r1', 'nobody', 'a'), tool('c2', null, 'a')];
    expect(outcomes(pairCalls(other))).toEqual(['r1', null, null]);
  });

  it('B186 leave a call that never ended without outcome', () => {
    expect(pairCalls([tool('a', null)])).toMatchObject([{ outcome: null }]);
  });

  it('B187 take a failed tool from its error event, else from its output, else as an unknown failure', () => {
    const failed = { status: 'error', output: { error_type: 'T', message: 'out' } };
    const withEvent = [tool('a', null), result('r', 'a', 'a', failed), failure('e', 'r', { details: { d: 1 } })];
    expect(pairCalls(withEvent)[0]?.outcome).toMatchObject({
      type: 'threw',
      errorType: 'E',
      message: 'm',
      details: { d: 1 },
      output: { error_type: 'T', message: 'out' },
      position: 1,
    });
    expect(pairCalls(withEvent.slice(0, 2))[0]?.outcome).toMatchObject({ errorType: 'T', message: 'out' });
    const bare = [tool('a', null), result('r', 'a', 'a', { status: 'error', output: { ok: false } })];
    expect(pairCalls(bare)[0]?.outcome).toMatchObject({
      errorType: 'DependencyError',
      message: 'recorded dependency failure',
    });
  });

  it('B188 B189 pair a request with its response, else with its error, and never by position', () => {
    expect(outcomes(pairCalls([request('q', null), failure('e', 'q'), response('r', 'q')]))).toEqual(['r']);
    expect(pairCalls([request('q', null), failure('e', 'q')])[0]?.outcome).toMatchObject({
      type: 'threw',
      errorType: 'E',
    });
    expect(outcomes(pairCalls([request('q', null), response('r', null)]))).toEqual([null]);
  });

  it('B192 give a failed model call its error', () => {
    const events = [
      request('q', null),
      errorEvent({ parent_id: 'q', error_type: 'LLMError', message: 'model unavailable' }),
    ];
    expect(pairCalls(events)[0]?.outcome).toMatchObject({ errorType: 'LLMError', message: 'model unavailable' });
  });
});

describe('frames', () => {
  it('are the call that a call hangs under directly', () => {
    expect(frames([tool('a', null), tool('b', 'a'), request('c', 'b'), tool('d', 'a')])).toEqual([null, 0, 1, 0]);
  });

  it('B215 go past outcomes: a call chained after one is not nested in it', () => {
    const chain = [
      runStartEvent({ id: 's' }),
      request('q', 's'),
      response('r', 'q'),
      tool('t', 'r'),
      result('tr', 't'),
      failure('e', 'tr'),
      tool('u', 'e'),
    ];
    expect(frames(chain)).toEqual([null, null, null]);
  });

  it('go past other events, and past outcomes paired by name', () => {
    const events = [
      tool('a', null),
      stateChangeEvent({ id: 'c', parent_id: 'a' }),
      tool('b', 'c', 'b'),
      result('rb', null, 'b'),
      tool('d', 'rb'),
    ];
    expect(frames(events)).toEqual([null, 0, 0]);
  });

  it('B217 end at a parent that is not earlier', () => {
    expect(frames([tool('a', 'b'), tool('b', 'a'), tool('c', 'c')])).toEqual([null, 0, null]);
  });

  it('take one pass, however long the chain', () => {
    const trace = createTrace({ agentName: 'a' });
    let parent: string | null = null;
    for (let i = 0; i < 5_000; i++) {
      const call: TraceEvent = addEvent(trace, tool(`c${i}`, parent, 't'));
      parent = addEvent(trace, result(`r${i}`, call.id, 't')).id;
    }
    expect(pairCalls(trace.events)).toHaveLength(5_000);
  });
});
