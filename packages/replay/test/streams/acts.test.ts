import { record, traceAgent, traceTool } from '@stepfork/recorder';
import { loadTrace } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { type ReplayReport, replay } from '../../src/index.js';
import { bundlePath } from '../recording.js';

/** A generator that answers to all that its consumer does to it. */
function* attentive(): Generator<string, string, unknown> {
  try {
    const sent = yield 'first';
    yield `sent ${String(sent)}`;
  } catch (thrown) {
    yield `caught ${(thrown as Error).message}`;
  } finally {
    yield 'cleaned';
  }
  return 'end';
}

/** One that lets all of it through. */
function* plain(): Generator<string, string, unknown> {
  const sent = yield 'first';
  yield `sent ${String(sent)}`;
  return 'end';
}

/** Its end comes with what is done to it, whatever that is. */
function* short(): Generator<string, string, unknown> {
  try {
    const sent = yield 'first';
    return `sent ${String(sent)}`;
  } catch (thrown) {
    return `caught ${(thrown as Error).message}`;
  }
}

/** Another return value than its consumer's. */
function* stubborn(): Generator<string, string, unknown> {
  try {
    yield 'first';
    yield 'second';
  } finally {
    // biome-ignore lint/correctness/noUnsafeFinally: what it comes to is what is tested
    return 'mine';
  }
}

/** Fails while it is closed. */
function* clumsy(): Generator<string, string, unknown> {
  try {
    yield 'first';
    yield 'second';
  } finally {
    Buffer.from('0').readInt32BE(7);
  }
  return 'end';
}

const bodies = { attentive, plain, short, stubborn, clumsy };
/** With which each act is tried against each recording; the others differ in what they come to alone. */
const crossed = process.env.STEPFORK_FULL === '1' ? Object.keys(bodies) : ['attentive', 'short'];
const kinds = ['generator', 'async generator'] as const;

type Steps = Generator<string, string, unknown> | AsyncGenerator<string, string, unknown>;

function toolOf(body: () => Generator<string, string, unknown>, kind: (typeof kinds)[number]): () => Steps {
  if (kind === 'generator') return traceTool('dialog', body);
  return traceTool('dialog', async function* (): AsyncGenerator<string, string, unknown> {
    return yield* body();
  });
}

const hungUp = new RangeError('hung up');
const tired = new TypeError('tired');

/** What a consumer may do after its first step. Those with the same key do the same to the generator. */
interface ConsumerAct {
  readonly name: string;
  readonly key?: string;
  readonly act: (steps: Steps) => unknown;
}

const BREAK: ConsumerAct = {
  name: 'break',
  key: 'return()',
  act: async (steps) => {
    const rest = {
      [Symbol.asyncIterator]: () => ({ next: () => ONE, return: () => steps.return(undefined as never) }),
    };
    for await (const _ of rest as AsyncIterable<unknown>) break;
    return 'broke';
  },
};
const ONE = Promise.resolve({ value: 0, done: false });

const acts: readonly ConsumerAct[] = [
  { name: 'next()', act: (steps) => steps.next() },
  { name: 'next(value)', act: (steps) => steps.next('word') },
  { name: 'return()', act: (steps) => steps.return(undefined as never) },
  { name: 'return(value)', act: (steps) => steps.return('R') },
  { name: 'throw(error)', act: (steps) => steps.throw(hungUp) },
  { name: 'throw(other)', act: (steps) => steps.throw(tired) },
  BREAK,
  { name: 'nothing', act: () => 'nothing' },
];

/** What came of an act, for the output of an agent. */
async function cameOf(act: () => unknown): Promise<unknown> {
  try {
    return await act();
  } catch (thrown) {
    const { name, message, code } = thrown as Error & { code?: string };
    return code === 'replay_divergence' ? 'refused' : `${name}: ${message}`;
  }
}

function agentOf(tool: () => Steps, act: (steps: Steps) => unknown, seen: unknown[] = []): () => Promise<unknown> {
  return async () => {
    seen.length = 0;
    const steps = tool();
    seen.push(await cameOf(() => steps.next()));
    seen.push(await cameOf(() => act(steps)));
    return seen.map((each) => JSON.stringify(each));
  };
}

async function replayed(recorded: () => unknown, live = recorded): Promise<ReplayReport> {
  const output = bundlePath();
  await record('agent', { output }, recorded).catch(() => {});
  return replay(output, () => record('agent', live));
}

describe.each(kinds)('what is done to a recorded %s', (kind) => {
  describe.each(Object.entries(bodies))('that is %s', (name, body) => {
    const tool = toolOf(body, kind);

    it.each(acts)('brings the same again: $name', async ({ act }) => {
      const bare = await agentOf(kind === 'generator' ? body : tool, act)();
      const report = await replayed(agentOf(tool, act));
      expect(report).toMatchObject({ verdict: 'matched', output: bare, notes: [] });
    });

    const pairs = !crossed.includes(name)
      ? []
      : acts.flatMap((recorded) =>
          acts
            .filter((live) => (live.key ?? live.name) !== (recorded.key ?? recorded.name))
            .map((live) => ({ recorded, live, title: `${live.name} where the recording has ${recorded.name}` })),
        );

    it.each(pairs)('brings nothing that it did not bring: $title', async ({ recorded, live }) => {
      const output = bundlePath();
      await record('agent', { output }, agentOf(tool, recorded.act));
      const seen: unknown[] = [];
      const report = await replay(output, () => record('agent', agentOf(tool, live.act, seen)), { noProgressMs: 20 });
      expect(report.verdict !== 'matched' || report.notes.length > 0).toBe(true);
      // Refused, never answered, or what no generator was needed for: what its consumer gave itself.
      const own = await cameOf(() => live.act(untouched()));
      expect(['refused', JSON.stringify(own), undefined]).toContainEqual(
        seen[1] === undefined || seen[1] === 'refused' ? seen[1] : JSON.stringify(seen[1]),
      );
    });
  });
});

/** A generator that has let go of all. */
function untouched(): Steps {
  const steps = plain();
  steps.next();
  const next = () => 'refused';
  return { next, return: steps.return.bind(steps), throw: steps.throw.bind(steps) } as never;
}

describe('a consumer that goes on', () => {
  it.each(kinds)('after what a %s yields while it is closed, replays as it was', async (kind) => {
    const tool = toolOf(attentive, kind);
    const agent = async () => {
      const steps = tool();
      return [await steps.next(), await steps.return('R'), await steps.next(), (await steps.next()).done];
    };
    const report = await replayed(agent);
    expect(report).toMatchObject({ verdict: 'matched', notes: [] });
    expect(report.output).toEqual([
      { value: 'first', done: false },
      { value: 'cleaned', done: false },
      { value: 'R', done: true },
      true,
    ]);
  });

  it.each(kinds)('before the first step of a %s, replays as it was', async (kind) => {
    const tool = toolOf(attentive, kind);
    const agent = async () => [
      await cameOf(() => tool().throw(hungUp)),
      await cameOf(() => tool().return('R')),
      await cameOf(() => tool().return(undefined as never)),
    ];
    expect(await replayed(agent)).toMatchObject({ verdict: 'matched', notes: [] });
  });

  it('is given the very error that it threw', async () => {
    const tool = toolOf(plain, 'async generator');
    const agent = async () => {
      const steps = tool();
      await steps.next();
      return Promise.resolve(steps.throw(hungUp)).catch((thrown: unknown) => thrown === hungUp);
    };
    expect(await replayed(agent)).toMatchObject({ verdict: 'matched', output: true });
  });

  it('with a promise of what is returned, replays as it was', async () => {
    const tool = toolOf(attentive, 'async generator') as () => AsyncGenerator<string, string, unknown>;
    const agent = async () => {
      const steps = tool();
      const all = await Promise.all([steps.next(), steps.return(Promise.resolve('later')), steps.next()]);
      return all.map(({ value }) => value);
    };
    expect(await replayed(agent)).toMatchObject({ verdict: 'matched', output: ['first', 'cleaned', 'later'] });
  });
});

describe('the divergence', () => {
  const tool = toolOf(attentive, 'async generator');
  const by = (name: string) => agentOf(tool, acts.find((each) => each.name === name)?.act ?? (() => null));

  it.each([
    ['next()', 'throw(error)', "call #1: tool 'dialog' was thrown into for chunk 2, where the recording reads on"],
    ['throw(error)', 'next()', "call #1: tool 'dialog' was read on for chunk 2, where the recording throws into it"],
    ['return(value)', 'next()', "call #1: tool 'dialog' was read on for chunk 2, where the recording closes it"],
    [
      'throw(error)',
      'throw(other)',
      `call #1: tool 'dialog' had another value thrown into it for chunk 2: at 'message' recorded "hung up", got "tired"`,
    ],
    [
      'return(value)',
      'return()',
      `call #1: tool 'dialog' was closed with another value for chunk 2: at '$' recorded "R", got {"$stepfork":"undefined"}`,
    ],
  ])('of a recorded %s and a live %s names the chunk and what was done', async (recorded, live, says) => {
    const { divergence } = await replayed(by(recorded), by(live));
    expect(divergence).toMatchObject({ code: 'input_changed', message: says });
  });
});

describe('a recording that does not say what was done', () => {
  const tool = toolOf(attentive, 'async generator');

  it('is played on where something is thrown in, with a note', async () => {
    const output = bundlePath();
    await record(
      'agent',
      { output },
      agentOf(tool, (steps) => steps.throw(hungUp)),
    );
    const trace = loadTrace(output);
    const older = trace.runtime
      .filter(({ type }) => type !== 'stream_end')
      .map((each) => (each.type === 'stream' ? { ...each, acts: false } : each))
      .map((each) => {
        if (each.type !== 'chunk') return each;
        const { thrown: _thrown, ...rest } = each;
        return rest;
      });
    const agent = () =>
      record(
        'agent',
        agentOf(tool, (steps) => steps.throw(tired)),
      );
    const report = await replay({ ...trace, runtime: older }, agent);
    expect(report).toMatchObject({ verdict: 'matched' });
    expect(report.notes).toEqual([
      "tool 'dialog' (call #1) was thrown into after chunk 1, and went on as in the recording, which does not say whether anything was thrown there",
    ]);
  });
});

describe('a stream that is left', () => {
  it.each(kinds)('unread by a run that ends is noted once: %s', async (kind) => {
    const tool = toolOf(plain, kind);
    const reads = async () => {
      for await (const _ of tool());
      return 'done';
    };
    const report = await replayed(reads, async () => {
      tool();
      return 'done';
    });
    expect(report).toMatchObject({ verdict: 'matched', output: 'done' });
    expect(report.notes).toEqual(["nobody reads on in the stream of tool 'dialog' (call #1), as the recording did"]);
  });

  it('open where the recording gives it up is noted', async () => {
    const tool = toolOf(plain, 'async generator');
    const report = await replayed(
      async () => {
        for await (const _ of tool()) break;
      },
      async () => {
        await tool().next();
      },
    );
    expect(report).toMatchObject({ verdict: 'matched' });
    expect(report.notes).toEqual(["nobody gives up the stream of tool 'dialog' (call #1), as the recording did"]);
  });
});

describe('the consumer of an answer that is a generator', () => {
  const consumed = acts.filter(({ name }) => name !== 'nothing' && name !== 'break');
  it.each(
    consumed.flatMap(({ name, act }) => [
      { what: 'does the same again', name, act, body: attentive, verdicts: ['matched'] },
      { what: 'ends it the same again', name, act, body: plain, verdicts: ['matched', 'reproduced-failure'] },
    ]),
  )('$what: $name', async ({ act, body, verdicts }) => {
    const tool = toolOf(body, 'async generator');
    const output = bundlePath();
    const agent = traceAgent({ name: 'agent', output }, () => tool());
    const steps = agent();
    await steps.next();
    await cameOf(() => act(steps));
    for (let step = 0; step < 3; step++) await steps.next();
    const report = await replay(output, agent as () => unknown);
    expect(report).toMatchObject({ divergence: null, notes: [] });
    expect(verdicts).toContain(report.verdict);
  });
});
