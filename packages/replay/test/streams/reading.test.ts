import { llmRequest, traceTool } from '@stepfork/recorder';
import { loadTrace, type Trace } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { formatReport, replay } from '../../src/index.js';
import { asAgent, recordRun, sleep } from '../recording.js';

/** Numbers from 1, a few milliseconds apart. */
const numbers = traceTool('numbers', async function* (input: { to: number; fails?: boolean }) {
  for (let n = 1; n <= input.to; n++) {
    await sleep(4);
    yield n;
  }
  if (input.fails) throw Object.assign(new RangeError('dried up'), { code: 'EDRY' });
});

/** The same as an iterable of no generator, which may be cancelled while a chunk is waited for. */
const iterable = traceTool('iterable', (input: { to: number }) => {
  let n = 0;
  const iterator = {
    next: async () => {
      await sleep(4);
      return n < input.to ? { done: false, value: ++n } : { done: true, value: undefined };
    },
    return: async () => ({ done: true, value: undefined }),
  };
  return { [Symbol.asyncIterator]: () => iterator as AsyncIterator<number> };
});

const save = traceTool('save', async (input: { what: string }) => {
  await sleep(input.what === 'slow' ? 250 : 1);
  return input.what;
});

async function read(
  stream: AsyncIterable<number>,
  most = Number.POSITIVE_INFINITY,
  seen: unknown[] = [],
): Promise<unknown[]> {
  let count = 0;
  for await (const n of stream) {
    seen.push(n);
    if (++count === most) break;
  }
  return seen;
}

async function sameOf(agent: () => unknown) {
  const path = await recordRun(agent);
  return replay(path, asAgent(agent));
}

describe('a stream', () => {
  it('comes at its places among other calls', async () => {
    const report = await sameOf(async () => {
      const seen: unknown[] = [];
      await Promise.all([
        read(numbers({ to: 4 }), 4, seen),
        read(iterable({ to: 3 }), 3, seen),
        save({ what: 'slow' }).then((what) => seen.push(what)),
      ]);
      return seen;
    });
    expect(report).toMatchObject({ verdict: 'matched', notes: [], counts: { recorded: 3, substituted: 3 } });
    expect(report.calls.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
  });

  it('throws at its recorded place what was thrown there', async () => {
    const report = await sameOf(async () => {
      const seen: unknown[] = [];
      try {
        await read(numbers({ to: 2, fails: true }), 9, seen);
      } catch (error) {
        const { name, message, code } = error as Error & { code: string };
        seen.push(name, message, code, error instanceof RangeError);
      }
      return seen;
    });
    expect(report).toMatchObject({ verdict: 'matched', output: [1, 2, 'RangeError', 'dried up', 'EDRY', true] });
    expect(report.calls[0]?.status).toBe('error');
  });

  it('that is the first of two to end wins the race again', async () => {
    const report = await sameOf(() =>
      Promise.race([
        read(numbers({ to: 3 })),
        sleep(900).then(() => 'timeout'),
        save({ what: 'slow' }).then(() => sleep(20)),
      ]),
    );
    expect(report).toMatchObject({ verdict: 'matched', output: [1, 2, 3] });
  });
});

describe('a cancelled stream', () => {
  it.each([
    ['numbers', numbers],
    ['iterable', iterable],
  ])('is cancelled again: %s', async (_name, tool) => {
    const report = await sameOf(async () => [await read(tool({ to: 5 }), 2), await save({ what: 'rest' })]);
    expect(report).toMatchObject({ verdict: 'matched', output: [[1, 2], 'rest'], notes: [] });
  });

  it.each([
    ['numbers', numbers],
    ['iterable', iterable],
  ])('is not read on: %s', async (name, tool) => {
    const path = await recordRun(async () => [await read(tool({ to: 5 }), 2), await save({ what: 'rest' })]);
    const report = await replay(
      path,
      asAgent(async () => [await read(tool({ to: 5 })), await save({ what: 'rest' })]),
    );
    expect(report.verdict).toBe('diverged');
    expect(report.divergence).toMatchObject({ code: 'past_cancellation', kind: 'tool', name, position: 1 });
    expect(report.divergence?.message).toBe(
      `call #1: tool '${name}' was asked for chunk 3, but the recording cancelled the stream after chunk 2`,
    );
    expect(formatReport(report)).toContain('(past_cancellation)');
  });

  it('is not read on, also where only one chunk was', async () => {
    const words = traceTool('words', async function* () {
      yield 1;
      yield 2;
    });
    const path = await recordRun(() => read(words(), 1));
    const report = await replay(
      path,
      asAgent(() => read(words())),
    );
    expect(report.divergence?.message).toBe(
      "call #1: tool 'words' was asked for chunk 2, but the recording cancelled the stream after chunk 1",
    );
  });

  it('may be cancelled earlier, which is noted', async () => {
    const path = await recordRun(async () => [await read(numbers({ to: 5 })), await save({ what: 'rest' })]);
    const report = await replay(
      path,
      asAgent(async () => [await read(numbers({ to: 5 }), 2), await save({ what: 'rest' })]),
    );
    expect(report).toMatchObject({ verdict: 'output-changed', divergence: null });
    expect(report.notes).toEqual([
      "tool 'numbers' (call #1) was cancelled after chunk 2; the recording goes on for 3 more",
    ]);
  });

  it('before it was read at all', async () => {
    const report = await sameOf(async () => {
      const stream = numbers({ to: 3 });
      return [await stream.return?.(undefined), await save({ what: 'x' })];
    });
    expect(report).toMatchObject({ verdict: 'matched', notes: [] });
  });

  it('while a chunk is waited for', async () => {
    const report = await sameOf(async () => {
      const iterator = iterable({ to: 3 })[Symbol.asyncIterator]();
      const first = await iterator.next();
      const second = iterator.next();
      const saved = await save({ what: 'fast' });
      return [first, saved, await iterator.return?.(), await second];
    });
    expect(report.divergence).toBeNull();
  });
});

describe('a stream that nobody reads on', () => {
  it('holds nothing back, and is named', async () => {
    const agent = async (most: number) => {
      const iterator = numbers({ to: 6 })[Symbol.asyncIterator]();
      const saved = save({ what: 'slow' });
      for (let i = 0; i < most; i++) await iterator.next();
      return saved;
    };
    const path = await recordRun(() => agent(3));
    const report = await replay(
      path,
      asAgent(() => agent(1)),
    );
    expect(report).toMatchObject({ verdict: 'matched', output: 'slow' });
    expect(report.notes).toEqual([
      "nobody reads on in the stream of tool 'numbers' (call #1), as the recording did, so nothing waits for it",
    ]);
  });

  it('or that was never read holds nothing back', async () => {
    const report = await sameOf(async () => {
      numbers({ to: 2 });
      return save({ what: 'slow' });
    });
    expect(report).toMatchObject({ verdict: 'matched', notes: [] });
  });
});

describe('a recording that ends within a stream', () => {
  it('leaves who reads on waiting, which a stalled run says', async () => {
    const agent = async (isWhole: boolean) => {
      const iterator = numbers({ to: 5 })[Symbol.asyncIterator]();
      const seen = [await iterator.next(), await iterator.next()];
      if (isWhole) seen.push(await iterator.next());
      return seen.length;
    };
    const path = await recordRun(() => agent(false));
    expect(
      (
        await replay(
          path,
          asAgent(() => agent(false)),
        )
      ).verdict,
    ).toBe('matched');
    const report = await replay(
      path,
      asAgent(() => agent(true)),
      { noProgressMs: 50 },
    );
    expect(report).toMatchObject({ verdict: 'diverged', facets: { execution: 'stalled' }, divergence: null });
    expect(report.notes).toEqual([
      "the run did not end: it waits for chunk 3 of tool 'numbers' (call #1), which the recording does not hold",
    ]);
  });
});

describe('what is sent to a generator', () => {
  const dialogue = traceTool('dialogue', async function* (_input: object): AsyncGenerator<unknown, void, unknown> {
    const first = yield 'who?';
    const second = yield `hello ${String(first)}`;
    yield `bye ${JSON.stringify(second)}`;
  });
  const agent = (second: unknown) => async () => {
    const stream = dialogue({});
    const given = [await stream.next(), await stream.next('ann'), await stream.next(second)];
    return given.map(({ value }) => value);
  };

  it('is compared', async () => {
    const path = await recordRun(agent({ age: 3 }));
    expect(await replay(path, asAgent(agent({ age: 3 })))).toMatchObject({ verdict: 'matched' });
    const report = await replay(path, asAgent(agent({ age: 4 })));
    expect(report.divergence).toMatchObject({
      code: 'input_changed',
      message: "call #1: tool 'dialogue' was sent another value for chunk 3: at 'age' recorded 3, got 4",
      differences: [{ path: 'age', recorded: 3, actual: 4 }],
    });
  });
});

describe('identical streams', () => {
  it('that overlapped and gave other chunks are ambiguous', async () => {
    let turn = 0;
    const roll = traceTool('roll', async function* (_input: object) {
      const own = ++turn;
      await sleep(2);
      yield own;
    });
    const path = await recordRun(() => Promise.all([read(roll({})), read(roll({}))]));
    const agent = asAgent(() => Promise.all([read(roll({})), read(roll({}))]));
    expect(await replay(path, agent)).toMatchObject({ verdict: 'matched', ambiguous: [{ index: 0 }, { index: 1 }] });
    expect((await replay(path, agent, { onAmbiguous: 'diverge' })).divergence?.code).toBe('ambiguous');
  });
});

describe('after a divergence', () => {
  it('chunks go on as recorded, and what is not recorded is refused', async () => {
    const path = await recordRun(async () => {
      const stream = numbers({ to: 3 });
      await stream.next();
      await save({ what: 'a' });
      await stream.next();
      await stream.return?.(undefined);
    });
    const seen: unknown[] = [];
    const report = await replay(
      path,
      asAgent(async () => {
        const stream = numbers({ to: 3 });
        seen.push((await stream.next()).value);
        await save({ what: 'other' }).catch((error: { code: string }) => seen.push(error.code));
        seen.push((await stream.next()).value);
        await stream.next().catch((error: { code: string }) => seen.push(error.code));
      }),
    );
    expect(report.divergence?.code).toBe('input_changed');
    expect(seen).toEqual([1, 'replay_divergence', 2, 'replay_divergence']);
  });

  it('a refused generator throws at its first step, never when it is called', async () => {
    const path = await recordRun(async () => 'nothing');
    const count = traceTool('count', function* () {
      yield 1;
    });
    const seen: unknown[] = [];
    await replay(
      path,
      asAgent(async () => {
        const stream = numbers({ to: 1 });
        await stream.next().catch((error: { code: string }) => seen.push(error.code));
        const counting = count();
        try {
          counting.next();
        } catch (error) {
          seen.push((error as { code: string }).code);
        }
      }),
    );
    expect(seen).toEqual(['replay_divergence', 'replay_divergence']);
  });
});

describe('another order', () => {
  const agent = async () => {
    const seen: unknown[] = [];
    await Promise.all([read(numbers({ to: 3 }), 9, seen), save({ what: 'slow' })]);
    return seen;
  };

  it.each(['strict', 'any'] as const)('%s gives streams, too', async (order) => {
    const path = await recordRun(agent);
    expect(await replay(path, asAgent(agent), { order })).toMatchObject({ verdict: 'matched', output: [1, 2, 3] });
  });
});

describe('a generator that answers at once', () => {
  const count = traceTool('count', function* (input: { to: number }) {
    for (let n = 1; n <= input.to; n++) yield n;
  });

  it('is given early where it is read before its place', async () => {
    const path = await recordRun(async () => {
      const saved = save({ what: 'slow' });
      await saved;
      return [...count({ to: 2 })];
    });
    const report = await replay(
      path,
      asAgent(async () => {
        const saved = save({ what: 'slow' });
        const counted = [...count({ to: 2 })];
        await saved;
        return counted;
      }),
    );
    expect(report).toMatchObject({ verdict: 'matched', output: [1, 2], early: [{ name: 'count' }] });
  });

  it('cannot wait for what the recording does not hold', async () => {
    const path = await recordRun(() => count({ to: 3 }).next().value);
    const report = await replay(
      path,
      asAgent(() => [...count({ to: 3 })]),
    );
    expect(report.divergence?.message).toBe(
      "call #1: tool 'count' was asked for chunk 2, but the recording ends after chunk 1, and a generator that answers at once cannot be left waiting",
    );
  });
});

describe('chunks', () => {
  it('that were not recorded as a whole are refused, naming the chunk', async () => {
    const open = traceTool('open', async function* () {
      yield { id: 1 };
      yield { close: () => {} };
    });
    const agent = async () => (await read(open() as never)).length;
    const report = await replay(await recordRun(agent), asAgent(agent));
    expect(report.divergence?.message).toBe(
      "call #1: tool 'open' cannot be answered: the recorded chunk 2 holds a placeholder at close; give the function a chunkCodec and record again",
    );
  });

  it('come at the end where nothing tells their places', async () => {
    const ask = () =>
      llmRequest({ model: 'm', input: {}, call: async () => ({ [Symbol.asyncIterator]: () => numbers({ to: 3 }) }) });
    const agent = async () => Promise.all([read(await ask()), save({ what: 'slow' })]);
    const whole: Trace = loadTrace(await recordRun(agent));
    const runtime = whole.runtime.filter(({ type }) => type !== 'chunk' && type !== 'stream');
    expect(await replay({ ...whole, runtime }, asAgent(agent))).toMatchObject({ verdict: 'matched' });
  });
});
