import { record, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/index.js';
import { asAgent, bundlePath, recordRun } from '../recording.js';

/** What an agent is given by a call, in a recording and in its replay. */
async function givenBy(make: () => unknown): Promise<readonly [recorded: unknown, replayed: unknown]> {
  const given: unknown[] = [];
  const agent = async (): Promise<void> => {
    const value = make();
    given.push(value);
    await value;
  };
  const report = await replay(await recordRun(agent), asAgent(agent));
  expect(report).toMatchObject({ verdict: 'matched', counts: { recorded: 1, substituted: 1 } });
  expect(given).toHaveLength(2);
  return [given[0], given[1]];
}

const VALUES: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['undefined', undefined],
  ['an empty text', ''],
  ['false', false],
  ['minus zero', -0],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['a bigint', 12_345_678_901_234_567_890n],
  ['a Date', new Date('2026-11-30T03:00:00.123Z')],
  ['an invalid Date', new Date(Number.NaN)],
  [
    'a Map',
    new Map<unknown, unknown>([
      ['a', 1],
      [{ b: 2 }, new Map([[1n, null]])],
    ]),
  ],
  ['a Set', new Set(['a', undefined])],
  ['a URL', new URL('https://example.com/a?b=c')],
  ['a RegExp', /a+b/giu],
  ['bytes', new Uint8Array([0, 255, 10])],
  ['an Error as a value', new TypeError('returned, not thrown')],
  ['undefined properties', { a: undefined, b: { c: undefined }, d: [undefined] }],
  ['odd keys', JSON.parse('{"__proto__": 1, "constructor": 2, "$stepfork": "date", "$$stepfork": 3, "": 4}')],
];

describe('an outcome', () => {
  it.each(VALUES)('that is %s comes back as such, at once and by a promise', async (_what, value) => {
    expect((await givenBy(traceTool('give', () => value)))[1]).toStrictEqual(value);
    const [, promised] = await givenBy(traceTool('give_later', async () => value));
    expect(promised).toBeInstanceOf(Promise);
    expect(await promised).toStrictEqual(value);
  });

  it('is a new value for each call: what one caller does to it, the next does not see', async () => {
    const list = traceTool('list', () => ['a']);
    const agent = (): unknown => [list(), list()].map((each) => each.push('b'));
    expect(await replay(await recordRun(agent), asAgent(agent))).toMatchObject({ verdict: 'matched', output: [2, 2] });
  });

  it('of a class goes through its codec, both ways', async () => {
    class Money {
      constructor(readonly cents: number) {}
      double(): Money {
        return new Money(this.cents * 2);
      }
    }
    const price = traceTool(
      {
        name: 'price',
        codec: {
          encode: (money: Money) => ({ cents: money.cents }),
          decode: (data) => new Money((data as Money).cents),
        },
      },
      async (sku: string) => new Money(sku.length),
    );
    const agent = async (): Promise<number> => (await price('abc')).double().cents;
    expect(await replay(await recordRun(agent), asAgent(agent))).toMatchObject({ verdict: 'matched', output: 6 });
  });

  it('that its codec cannot decode is refused, with its reason', async () => {
    let isBroken = false;
    const decode = (data: unknown): number => {
      if (isBroken) throw new Error('unknown version 2');
      return Number(data);
    };
    const count = traceTool({ name: 'count', codec: { encode: (n: number) => n, decode } }, async () => 1);
    const path = await recordRun(() => count());
    isBroken = true;
    const report = await replay(
      path,
      asAgent(() => count()),
    );
    expect(report.divergence).toMatchObject({
      code: 'unservable',
      message:
        "call #1: tool 'count' cannot be answered: its codec could not decode the recorded output: unknown version 2",
    });
  });

  it('that was not recorded as a whole is refused, naming the place', async () => {
    const open = traceTool('open', async (): Promise<unknown> => ({ items: [{ id: 1, close: () => null }] }));
    const path = await recordRun(() => open());
    const report = await replay(
      path,
      asAgent(() => open()),
    );
    expect(report).toMatchObject({ verdict: 'diverged', divergence: { code: 'unservable', position: 1 } });
    expect(report.divergence?.message).toBe(
      "call #1: tool 'open' cannot be answered: the recorded output holds a placeholder at items[0].close; " +
        'give the function a codec and record again',
    );
  });
});

describe("a run's input", () => {
  it('is given to the agent as it was, Dates and Maps included', async () => {
    const { path, inputs, run } = await recordInput({ at: new Date(0), tags: new Map([['a', 1n]]) });
    await replay(path, run);
    expect(inputs[1]).toStrictEqual(inputs[0]);
  });

  it('that was not recorded as a whole is refused before anything runs, unless another one is given', async () => {
    const { path, inputs, run } = await recordInput({ deep: [{ callback: () => 1 }] });
    await expect(replay(path, run)).rejects.toMatchObject({
      code: 'bad_input',
      message: 'the recorded run input holds a placeholder at deep[0].callback; give option input',
    });
    expect(inputs).toHaveLength(1);
    const report = await replay(path, run, { input: { instead: true } });
    expect(report.verdict).toBe('matched');
    expect(inputs[1]).toEqual({ instead: true });
  });

  async function recordInput(input: unknown) {
    const inputs: unknown[] = [];
    const path = bundlePath();
    await record('agent', { output: path, input }, async (_session, given) => {
      inputs.push(given);
    });
    const run = (given: unknown): void => {
      inputs.push(given);
    };
    return { path, inputs, run };
  }
});

describe('a function keeps its form:', () => {
  it('one that answers at once does, with a value or an exception', async () => {
    const parse = traceTool('parse', (text: string): unknown => JSON.parse(text));
    const agent = (): unknown => {
      const value = parse('{"a":1}');
      try {
        return [value, parse('{')];
      } catch (error) {
        return [value, (error as Error).name];
      }
    };
    const report = await replay(await recordRun(agent), asAgent(agent));
    expect(report).toMatchObject({ verdict: 'matched', output: [{ a: 1 }, 'SyntaxError'] });
  });

  it('one that is not async but returns a promise returns one, fulfilled or rejected', async () => {
    const fetchOne = traceTool('fetch_one', (id: number) =>
      id < 0 ? Promise.reject(new RangeError('negative')) : Promise.resolve(id * 2),
    );
    const agent = async (): Promise<unknown> => {
      const answers = [fetchOne(1), fetchOne(-1)];
      const arePromises = answers.map((each) => each instanceof Promise);
      const settled = await Promise.allSettled(answers);
      return [arePromises, settled.map(({ status }) => status)];
    };
    const report = await replay(await recordRun(agent), asAgent(agent));
    expect(report).toMatchObject({
      verdict: 'matched',
      output: [
        [true, true],
        ['fulfilled', 'rejected'],
      ],
    });
  });

  it('one that answers now at once, now by a promise, does so again', async () => {
    const cache = new Set<string>();
    const cached = traceTool('cached', (key: string): string | Promise<string> => {
      if (cache.has(key)) return key;
      cache.add(key);
      return Promise.resolve(key);
    });
    const agent = async (): Promise<unknown> => {
      const first = cached('a');
      await first;
      return [typeof first, typeof cached('a')];
    };
    const report = await replay(await recordRun(agent), asAgent(agent));
    expect(report).toMatchObject({ verdict: 'matched', output: ['object', 'string'] });
  });
});
