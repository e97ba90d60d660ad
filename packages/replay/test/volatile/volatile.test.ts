import { onlyPlaces, parseSelector, withoutPlace } from '@stepfork/diff';
import { llmRequest, traceTool } from '@stepfork/recorder';
import { encodeValue, type Json } from '@stepfork/trace-format';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ReplayOptions, replay } from '../../src/index.js';
import { asAgent, recordRun } from '../recording.js';

const RUNS = process.env.STEPFORK_FULL === '1' ? 5_000 : 300;

interface Query {
  readonly text: string;
  readonly now?: number;
  readonly messages?: readonly { readonly id: string; readonly content: string }[];
}
const search = traceTool('search', async (query: Query) => `found ${query.text}`);
const ask = (input: unknown): Promise<string> =>
  llmRequest({ provider: 'acme', model: 'big', input, call: async () => 'answer' });

async function replayed(before: () => unknown, after: () => unknown, options: ReplayOptions) {
  return replay(await recordRun(before), asAgent(after), options);
}

describe('ignore', () => {
  const message = (id: string, content = 'hello') => ({ text: 'x', messages: [{ id, content }] });

  it.each<[string, Query, Query, string]>([
    ['a key', { text: 'x', now: 1 }, { text: 'x', now: 2 }, '/now'],
    ['a key that one side lacks', { text: 'x', now: 1 }, { text: 'x' }, '/now'],
    ['a key of every element', message('a'), message('b'), '/messages/*/id'],
  ])('leaves out %s, and counts it', async (_what, before, after, pointer) => {
    const options = { ignore: { 'tool:search': [pointer] } };
    const report = await replayed(
      () => search(before),
      () => search(after),
      options,
    );
    expect(report.verdict).toBe('matched');
    const count =
      after.now === undefined && after.messages === undefined ? [] : [{ pattern: `tool:search ${pointer}`, count: 1 }];
    expect(report.ignored).toEqual(count);
    // The report shows what was called all the same.
    expect(report.calls[0]?.input).toEqual(encodeValue(after).json);
    const without = await replayed(
      () => search(before),
      () => search(after),
      {},
    );
    expect([without.verdict, without.ignored]).toEqual(['diverged', []]);
  });

  it('leaves nothing else out: one changed character anywhere else is a divergence', async () => {
    const report = await replayed(
      () => search({ ...message('a'), now: 1 }),
      () => search({ ...message('b', 'hallo'), now: 2 }),
      { ignore: { 'tool:search': ['/now', '/messages/*/id'] } },
    );
    expect(report.divergence).toMatchObject({
      code: 'input_changed',
      message: `call #1: tool 'search' was called with another input: at 'messages[0].content' recorded "hello", got "hallo"`,
    });
    expect(report.divergence?.differences).toHaveLength(1);
  });

  it('is about the calls that it names', async () => {
    const options = { ignore: { 'llm:*': ['/now'], 'tool:sea*': ['/other'] } };
    const tool = await replayed(
      () => search({ text: 'x', now: 1 }),
      () => search({ text: 'x', now: 2 }),
      options,
    );
    expect(tool.verdict).toBe('diverged');
    const llm = await replayed(
      () => ask({ now: 1 }),
      () => ask({ now: 2 }),
      options,
    );
    expect([llm.verdict, llm.ignored]).toEqual(['matched', [{ pattern: 'llm:* /now', count: 1 }]]);
  });

  it('of all makes calls alike that the recording tells apart, which is listed', async () => {
    const both = (): Promise<unknown> => Promise.all([search({ text: 'a' }), search({ text: 'b' })]);
    const report = await replayed(both, both, { ignore: { 'tool:search': ['/text'] } });
    expect(report.ambiguous).toHaveLength(2);
  });

  it('says which rules are about no call of the recording', async () => {
    const options = { ignore: { 'tool:serach': ['/now'] } };
    const report = await replayed(
      () => search({ text: 'x' }),
      () => search({ text: 'x' }),
      options,
    );
    expect(report.notes).toContain("'tool:serach /now' is about no call of the recording");
  });
});

describe('match', () => {
  it('compares only what it names', async () => {
    const report = await replayed(
      () => search({ text: 'x', now: 1 }),
      () => search({ text: 'x', now: 2 }),
      { match: { 'tool:search': ['/text'] } },
    );
    expect([report.verdict, report.ignored]).toEqual(['matched', [{ pattern: 'tool:search (only /text)', count: 1 }]]);
    const changed = await replayed(
      () => search({ text: 'x' }),
      () => search({ text: 'y' }),
      { match: { 'tool:search': ['/text'] } },
    );
    expect(changed.divergence?.code).toBe('input_changed');
  });
});

describe('normalize', () => {
  it('compares what it makes of the redacted input', async () => {
    const seen: Json[] = [];
    const normalize = {
      'tool:search': (input: Json) => {
        seen.push(input);
        return String((input as { text: string }).text).toLowerCase();
      },
    };
    const report = await replayed(
      () => search({ text: 'Cats password=hunter2hunter2' }),
      () => search({ text: 'CATS password=hunter2hunter2' }),
      { normalize },
    );
    expect(report.verdict).toBe('matched');
    expect(JSON.stringify(seen)).not.toContain('hunter2');
  });

  it('cannot change what was recorded', async () => {
    const normalize = {
      'tool:search': (input: Json) => {
        (input as { text: string }).text = 'changed';
        return null;
      },
    };
    const report = await replayed(
      () => search({ text: 'x' }),
      () => search({ text: 'y' }),
      { normalize },
    );
    expect(report.calls[0]?.input).toEqual({ text: 'y' });
  });
});

describe('a rule that would make all inputs alike', () => {
  it.each<[string, unknown]>([
    ['a promise', async () => 'x'],
    ['nothing', () => undefined],
    ['what is no data', () => () => 1],
    ['what is no data', () => new URLSearchParams('a=1')],
  ])('is refused: normalize answers with %s', async (what, normalize) => {
    const path = await recordRun(() => search({ text: 'cats' }));
    const options = { normalize: { 'tool:search': normalize } } as ReplayOptions;
    await expect(
      replay(
        path,
        asAgent(() => search({ text: 'dogs' })),
        options,
      ),
    ).rejects.toMatchObject({
      code: 'bad_option',
      message: `option normalize must answer with data at once for 'tool:search', not with ${what}`,
    });
  });

  it.each([[['/txet']], [[]], [['/text/deep']]])(
    'is refused: match of %j, which is in no recorded input',
    async (places) => {
      const path = await recordRun(() => search({ text: 'cats' }));
      const replayed = replay(
        path,
        asAgent(() => search({ text: 'dogs' })),
        { match: { 'tool:search': places } },
      );
      await expect(replayed).rejects.toMatchObject({
        code: 'bad_option',
        message: expect.stringContaining('compares nothing'),
      });
    },
  );
});

describe('a rule that is none', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ ignore: { search: ['/now'] } }, "option ignore names 'search'; a call is named like 'tool:search'"],
    [{ ignore: { 'tool:search': '/now' } }, "option ignore needs a list of JSON Pointers (['/messages/0/id'])"],
    [{ ignore: { 'tool:search': ['now'] } }, 'option ignore needs a list of JSON Pointers'],
    [{ ignore: ['/now'] }, "option ignore must be an object like { 'tool:search': … }"],
    [{ match: { 'tool:search': [1] } }, 'option match needs a list of JSON Pointers'],
    [{ normalize: { 'tool:search': '/now' } }, "option normalize needs a function for 'tool:search'"],
  ])('is refused: %j', async (options, message) => {
    const path = await recordRun(() => search({ text: 'x' }));
    await expect(replay(path, () => null, options as ReplayOptions)).rejects.toMatchObject({
      code: 'bad_option',
      message: expect.stringContaining(message),
    });
  });
});

describe('a selector', () => {
  const call = (kind: 'tool' | 'llm', name: string, provider: string | null = null) => ({ kind, name, provider });

  it.each([
    ['tool:search', call('tool', 'search'), true],
    ['tool:search', call('tool', 'search2'), false],
    ['tool:search', call('llm', 'search'), false],
    ['tool:*', call('tool', 'any'), true],
    ['llm:acme/big', call('llm', 'big', 'acme'), true],
    ['llm:big', call('llm', 'big', 'acme'), true],
    ['llm:acme/*', call('llm', 'big', 'acme'), true],
    ['llm:acme/*', call('llm', 'big', 'other'), false],
    ['tool:a*b*c', call('tool', 'a1b2c'), true],
    ['tool:a*b*c', call('tool', 'acb'), false],
    ['tool:ab*ba', call('tool', 'aba'), false],
    ['tool:db:read', call('tool', 'db:read'), true],
  ])('%s on %o: %s', (text, called, fits) => {
    expect(parseSelector(text)?.(called)).toBe(fits);
  });
});

describe('places', () => {
  const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
  const place = fc.array(fc.constantFrom('a', 'b', '*', '0', '1', '__proto__'), { maxLength: 3 });

  it('are taken out without a change to the value, and once is enough', () => {
    fc.assert(
      fc.property(json, place, (value, at) => {
        const before = JSON.stringify(value);
        const once = withoutPlace(value, at);
        expect(JSON.stringify(value)).toBe(before);
        expect(JSON.stringify(withoutPlace(once.value, at).value)).toBe(JSON.stringify(once.value));
        if (once.count === 0) expect(once.value).toBe(value);
      }),
      { numRuns: RUNS },
    );
  });

  it('that are kept alone are the only ones in which a change shows', () => {
    fc.assert(
      fc.property(json, place, (value, at) => {
        const kept = onlyPlaces(value, [at]);
        expect(JSON.stringify(onlyPlaces(kept, [at]))).toBe(JSON.stringify(kept));
      }),
      { numRuns: RUNS },
    );
  });

  it('know no prototypes', () => {
    const value = JSON.parse('{"__proto__":{"a":1},"b":2}') as Json;
    expect(JSON.stringify(withoutPlace(value, ['b']).value)).toBe('{"__proto__":{"a":1}}');
    expect(JSON.stringify(onlyPlaces(value, [['__proto__', 'a']]))).toBe('{"__proto__":{"a":1}}');
  });
});
