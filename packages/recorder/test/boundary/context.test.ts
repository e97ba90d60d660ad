import { llmRequest, record, traceAgent, traceTool } from '@stepfork/recorder';
import { type BoundaryHandler, type Frame, HANDLER_VERSION, slot } from '@stepfork/recorder/boundary';
import { isStepforkError } from '@stepfork/trace-format/write';
import { afterEach, describe, expect, it } from 'vitest';
import { collectWarnings } from '../support/warnings.js';

const warnings = collectWarnings();

/** A handler that answers every call with what it saw. */
function handler(mode: 'record' | 'replay', given: Partial<BoundaryHandler> = {}): BoundaryHandler {
  return {
    version: HANDLER_VERSION,
    mode,
    active: true,
    dispatch: ({ kind, name, input }, frame) => ({ kind, name, input, frame }),
    innerRun: () => ({ runId: 'run_inner', settled: () => {} }),
    ...given,
  };
}

const frameOf = (of: BoundaryHandler): Frame => ({ handler: of, call: null, parent: null });
const within = <T>(of: BoundaryHandler, body: () => T): T => slot().frames.run(frameOf(of), body);

function codeOf(body: () => unknown): string | undefined {
  try {
    body();
  } catch (error) {
    if (isStepforkError(error)) return error.code;
    throw error;
  }
  return undefined;
}

let ran = 0;
const tool = (name: string) =>
  traceTool(name, (value: number): unknown => {
    ran++;
    return value;
  });

afterEach(() => {
  slot().active.clear();
  ran = 0;
});

describe('a boundary', () => {
  it('B162 calls straight through where nothing is active', () => {
    expect(tool('bare')(5)).toBe(5);
    expect(llmRequest({ model: 'm', input: null, call: () => 'text' })).toBe('text');
  });

  it('hands its call to the handler of its context', () => {
    const recording = handler('record');
    const answer = within(recording, () => tool('context')(5));
    expect(answer).toEqual({ kind: 'tool', name: 'context', input: { args: [5] }, frame: frameOf(recording) });
    const asked = within(recording, () => llmRequest({ provider: 'p', model: 'm', input: { q: 1 }, call: () => {} }));
    expect(asked).toMatchObject({ kind: 'llm', name: 'm', input: { q: 1 } });
    expect(ran).toBe(0);
  });

  it('without a context joins the only active run, at its frame, marked as adopted', () => {
    const only = handler('record');
    slot().active.add(only);
    expect(tool('adopted')(5)).toMatchObject({ frame: { handler: only, call: null, parent: null, adopted: true } });
  });

  it('without a context passes through, with a warning, while several runs record', async () => {
    slot().active.add(handler('record')).add(handler('record'));
    expect(tool('lost')(5)).toBe(5);
    expect(tool('lost')(6)).toBe(6);
    const [only, ...others] = await warnings('context_lost');
    expect(only).toContain("tool 'lost' was reached outside any run's async context while 2 runs are active");
    expect(only).toContain('AsyncResource.bind()');
    expect(others).toEqual([]);
  });

  it('without a context does not run while a replay is one of several', () => {
    slot().active.add(handler('record')).add(handler('replay'));
    expect(codeOf(() => tool('lost in replay')(5))).toBe('context_lost');
    expect(ran).toBe(0);
  });

  it('passes through, with a warning, in the context of a recording that has ended', async () => {
    const ended = handler('record', { active: false });
    expect(within(ended, () => tool('late')(5))).toBe(5);
    expect(await warnings('run_ended')).toEqual([
      "tool 'late' was called after its recorded run had ended, so it was not recorded; await it inside the run",
    ]);
  });

  it('is refused in the context of a replay that has ended', () => {
    const ended = handler('replay', { active: false });
    expect(codeOf(() => within(ended, () => tool('late')(5)))).toBe('replay_ended');
    expect(ran).toBe(0);
  });

  it('rejects instead of throwing where the function is async', async () => {
    const ended = handler('replay', { active: false });
    const answer = within(ended, () => traceTool('late async', async () => 1)());
    await expect(answer).rejects.toMatchObject({ code: 'replay_ended' });
    const agent = within(ended, () => traceAgent('late agent', async () => 1)());
    await expect(agent).rejects.toMatchObject({ code: 'replay_ended' });
    await expect(within(ended, () => record('late record', () => 1))).rejects.toMatchObject({ code: 'replay_ended' });
    expect(codeOf(() => within(ended, () => traceAgent('late sync agent', () => 1)()))).toBe('replay_ended');
  });

  it('is refused by a replay of another version, and not recorded by a recording of one', async () => {
    const version = 2 as unknown as typeof HANDLER_VERSION;
    expect(codeOf(() => within(handler('replay', { version }), () => tool('other')(5)))).toBe('boundary_version');
    expect(ran).toBe(0);
    expect(within(handler('record', { version }), () => tool('other')(5))).toBe(5);
    expect(await warnings('boundary_version')).toEqual([
      "tool 'other' and the recording around it come from different versions of Stepfork; " +
        'install one version of all @stepfork packages',
    ]);
  });

  it('uses the arguments where its input callback throws, with a warning', async () => {
    const traced = traceTool(
      {
        name: 'picky',
        input: () => {
          throw new Error('no');
        },
      },
      (value: number): unknown => value,
    );
    expect(within(handler('record'), () => traced(5))).toMatchObject({ input: { args: [5] } });
    expect(await warnings('input_failed')).toHaveLength(1);
  });
});

describe('a run inside a replay', () => {
  it('B177 runs with an inert session and tells the replay what it came to', async () => {
    const told: unknown[] = [];
    const replay = handler('replay', {
      innerRun: (agentName) => ({ runId: 'run_r', settled: (outcome) => told.push([agentName, outcome]) }),
    });
    const error = new Error('no');
    await within(replay, async () => {
      const set = await record('set', (session) => {
        session.setOutput(session.runId);
        return 'returned';
      });
      expect(set).toBe('returned');
      expect(await record('returned', { input: 7, output: 'x.sftrace' }, (_session, input) => input)).toBe(7);
      expect(traceAgent('sync', (value: number) => value + 1)(1)).toBe(2);
      await expect(record('threw', () => Promise.reject(error))).rejects.toBe(error);
    });
    expect(told).toEqual([
      ['set', { output: 'run_r' }],
      ['returned', { output: 7 }],
      ['sync', { output: 2 }],
      ['threw', { error }],
    ]);
  });

  it('refuses its session after its end, like any other', async () => {
    const replay = handler('replay');
    const session = await within(replay, () => record('a', (given) => given));
    expect(codeOf(() => session.setOutput(1))).toBe('session_ended');
  });
});
