import { llmRequest, record, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { assertReplay, replay } from '../../src/index.js';
import { asAgent, bundlePath, recordRun } from '../recording.js';

class QuotaError extends Error {
  override readonly name = 'QuotaError';
  constructor(
    readonly left: number,
    readonly until: Date,
  ) {
    super('quota used up');
  }
}

/** Throws whatever it is told to, in the recording. */
let thrown: unknown = null;
const fails = traceTool('fails', async (_: number): Promise<never> => {
  throw thrown;
});
const failsAtOnce = traceTool('fails_at_once', (_: number): never => {
  throw thrown;
});
const modelFails = () =>
  llmRequest({
    provider: 'acme',
    model: 'small-1',
    input: 'hi',
    call: async () => {
      throw thrown;
    },
  });

/** What an agent catches of a failing call, in a recording and in its replay. */
async function caughtOf(make: () => unknown): Promise<readonly [recorded: unknown, replayed: unknown]> {
  const caught: unknown[] = [];
  const agent = async (): Promise<void> => {
    try {
      await make();
    } catch (error) {
      caught.push(error);
    }
  };
  const report = await replay(await recordRun(agent), asAgent(agent));
  expect(report).toMatchObject({ verdict: 'matched', counts: { substituted: 1 } });
  expect(caught).toHaveLength(2);
  return [caught[0], caught[1]];
}

describe('a failure', () => {
  it.each([Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError])(
    'of a built-in class comes back as itself: %o',
    async (Class) => {
      thrown = new Class('no');
      const [, replayed] = await caughtOf(() => fails(1));
      expect(replayed).toBeInstanceOf(Class);
      expect(Object.getPrototypeOf(replayed)).toBe(Class.prototype);
      expect(String(replayed)).toBe(String(thrown));
    },
  );

  it('keeps its own fields: status, code, headers', async () => {
    thrown = Object.assign(new Error('too many'), {
      status: 429,
      code: 'rate_limited',
      headers: { 'retry-after': '2' },
    });
    for (const make of [() => fails(1), () => failsAtOnce(1), modelFails]) {
      const [, replayed] = await caughtOf(make);
      expect(replayed).toMatchObject({
        name: 'Error',
        message: 'too many',
        status: 429,
        code: 'rate_limited',
        headers: { 'retry-after': '2' },
      });
    }
  });

  it("of the agent's own class keeps name, message and fields", async () => {
    thrown = new QuotaError(0, new Date(0));
    const [, replayed] = await caughtOf(() => fails(1));
    expect(replayed).toMatchObject({ name: 'QuotaError', message: 'quota used up', left: 0, until: new Date(0) });
    expect(replayed).toBeInstanceOf(Error);
  });

  it('keeps its cause, and the errors that it holds', async () => {
    const cause = Object.assign(new TypeError('inner'), { code: 'ECONNRESET' });
    thrown = new AggregateError([new RangeError('a'), 'b'], 'all failed', { cause });
    const [, replayed] = await caughtOf(() => fails(1));
    expect(replayed).toMatchObject({ name: 'AggregateError', message: 'all failed' });
    expect((replayed as Error).cause).toMatchObject({ name: 'TypeError', message: 'inner', code: 'ECONNRESET' });
    expect((replayed as AggregateError).errors).toMatchObject([{ name: 'RangeError', message: 'a' }, 'b']);
  });

  it.each([['a text'], [''], [0], [404], [null], [undefined], [false], [{ reason: 'x' }], [['x']]])(
    'that is no error comes back as the value that it was: %o',
    async (value) => {
      thrown = value;
      for (const make of [() => fails(1), () => failsAtOnce(1)]) expect((await caughtOf(make))[1]).toStrictEqual(value);
    },
  );

  it('is retried as it was: each attempt gets its own recording', async () => {
    let attempts = 0;
    const flaky = traceTool('flaky', async (_: { id: string }) => {
      attempts++;
      if (attempts === 1) throw Object.assign(new Error('overloaded'), { status: 503 });
      if (attempts === 2) throw Object.assign(new Error('slow down'), { status: 429, code: 'rate_limited' });
      return 'done';
    });
    const agent = async (): Promise<unknown> => {
      const seen: unknown[] = [];
      for (;;) {
        try {
          return [...seen, await flaky({ id: 'A-1' })];
        } catch (error) {
          const { message, status, code } = error as { message: string; status: number; code?: string };
          seen.push([message, status, code ?? null]);
        }
      }
    };
    const report = await replay(await recordRun(agent), asAgent(agent));
    expect(report).toMatchObject({
      verdict: 'matched',
      output: [['overloaded', 503, null], ['slow down', 429, 'rate_limited'], 'done'],
    });
    expect(report.calls.map(({ status }) => status)).toEqual(['error', 'error', 'ok']);
    expect(attempts).toBe(3);
  });

  it('that is retried once less, or once more, diverges', async () => {
    const unsteady = traceTool('unsteady', async (_: string): Promise<never> => {
      throw new Error('no');
    });
    const retrying = (times: number) => async (): Promise<void> => {
      for (let i = 0; i < times; i++) await unsteady('x').catch(() => null);
    };
    const path = await recordRun(retrying(3));
    const [less, more] = [await replay(path, asAgent(retrying(2))), await replay(path, asAgent(retrying(4)))];
    expect(less.divergence?.message).toBe("recorded call #3 tool 'unsteady' never came");
    expect(more.divergence?.message).toBe(
      "call #4: tool 'unsteady' was called, but the recording holds no further call",
    );
  });
});

describe('a run that failed', () => {
  const read = traceTool('read', async (input: { id: string }) => ({ id: input.id, rows: [] as string[] }));
  const agent = async (): Promise<unknown> => {
    const { rows } = await read({ id: 'A-1' });
    if (rows[0] === undefined) throw new RangeError('no row');
    return rows[0].toUpperCase();
  };

  it('fails again: reproduced-failure, which an assertion accepts', async () => {
    const report = await replay(await recordRun(agent), asAgent(agent));
    expect(report).toMatchObject({
      verdict: 'reproduced-failure',
      facets: { execution: 'threw', dependencies: 'matched' },
      error: { name: 'RangeError', message: 'no row' },
      recording: { status: 'failed', failure: { type: 'RangeError', message: 'no row' } },
      notes: [],
    });
    expect(() => assertReplay(report)).not.toThrow();
  });

  it('and fails with another message has reproduced it, with a note', async () => {
    const reworded = async (): Promise<never> => {
      await read({ id: 'A-1' });
      throw new RangeError('nothing found');
    };
    const report = await replay(await recordRun(agent), asAgent(reworded));
    expect(report.verdict).toBe('reproduced-failure');
    expect(report.notes).toEqual(["the error's message changed: recorded 'no row', got 'nothing found'"]);
  });

  it('and is fixed has another output: an assertion of the calls alone accepts it', async () => {
    const fixed = async (): Promise<unknown> => (await read({ id: 'A-1' })).rows[0]?.toUpperCase() ?? 'nothing';
    const report = await replay(await recordRun(agent), asAgent(fixed));
    expect(report).toMatchObject({
      verdict: 'output-changed',
      output: 'nothing',
      error: null,
      facets: { execution: 'completed', dependencies: 'matched', output: 'not-recorded' },
    });
    expect(() => assertReplay(report)).toThrow('recorded RangeError, got "nothing"');
    expect(() => assertReplay(report, { output: 'any' })).not.toThrow();
  });

  it('and fails in another way has another output', async () => {
    const worse = async (): Promise<never> => {
      await read({ id: 'A-1' });
      throw new TypeError('no row');
    };
    expect((await replay(await recordRun(agent), asAgent(worse))).verdict).toBe('output-changed');
  });

  it('by a failure of a dependency that it did not catch fails by it again', async () => {
    thrown = Object.assign(new Error('gone'), { name: 'GoneError' });
    const output = bundlePath();
    await record('agent', { output }, () => fails(1)).catch(() => null);
    const report = await replay(
      output,
      asAgent(() => fails(1)),
    );
    expect(report).toMatchObject({ verdict: 'reproduced-failure', error: { name: 'GoneError', message: 'gone' } });
  });
});

describe('a run that completed', () => {
  it('and throws now has another output', async () => {
    const path = await recordRun(() => 'fine');
    const report = await replay(
      path,
      asAgent(() => {
        throw new Error('broken');
      }),
    );
    expect(report).toMatchObject({ verdict: 'output-changed', error: { name: 'Error', message: 'broken' } });
  });
});
