import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { llmRequest, record, traceTool } from '@stepfork/recorder';
import { loadTrace } from '@stepfork/trace-format';
import { beforeEach, describe, expect, it } from 'vitest';
import { type PendingCall, type ReplayOptions, replay } from '../../src/index.js';
import { asAgent, bundlePath, recordRun, sleep } from '../recording.js';

/** What really ran. */
let ran: string[] = [];
/** What the outside world answers now. */
let world = 'recorded';

beforeEach(() => {
  ran = [];
  world = 'recorded';
});

const search = traceTool('search', async (query: string) => {
  ran.push(`search ${query}`);
  await sleep(5);
  return `${world} results for ${query}`;
});
const now = traceTool('now', () => {
  ran.push('now');
  return world;
});
const research = traceTool('research', async (topic: string) => {
  ran.push(`research ${topic}`);
  const found = await search(topic);
  return `${found}, read at ${now()}`;
});
const ask = (prompt: string, model = 'big'): Promise<string> =>
  llmRequest({
    provider: 'acme',
    model,
    input: { prompt },
    call: async () => {
      ran.push(`${model} ${prompt}`);
      await sleep(5);
      return `${world} answer to ${prompt}`;
    },
  });

/** Options as JavaScript callers may give them. */
const anyOptions = (options: Record<string, unknown>): ReplayOptions => options;

const agent = async (): Promise<unknown> => {
  const [answer, found] = await Promise.all([ask('question'), search('cats')]);
  return { answer, found, summary: await ask('summary', 'small') };
};

async function recorded(run: () => unknown): Promise<string> {
  const path = await recordRun(run);
  ran = [];
  world = 'live';
  return path;
}

describe('hybrid', () => {
  it('B212 runs the named LLMs for real, and freezes all else', async () => {
    const path = await recorded(agent);
    const report = await replay(path, asAgent(agent), { mode: 'hybrid', liveLlms: ['acme/big'] });
    expect(ran).toEqual(['big question']);
    expect(report).toMatchObject({
      verdict: 'output-changed',
      facets: { dependencies: 'matched', output: 'changed' },
      counts: { recorded: 3, substituted: 2, executed: 1 },
      output: { answer: 'live answer to question', found: 'recorded results for cats' },
    });
    expect(report.calls.map(({ name, action, status }) => [name, action, status])).toEqual([
      ['big', 'executed', 'ok'],
      ['search', 'substituted', 'ok'],
      ['small', 'substituted', 'ok'],
    ]);
  });

  it('B213 lets a named LLM be asked anything, though not another model or once too often', async () => {
    const path = await recorded(() => ask('first'));
    const options = { mode: 'hybrid', liveLlms: ['big'] } as const;
    const other = await replay(
      path,
      asAgent(() => ask('rewritten')),
      options,
    );
    expect([other.output, other.divergence]).toEqual(['live answer to rewritten', null]);
    const otherModel = await replay(
      path,
      asAgent(() => ask('first', 'small')),
      options,
    );
    expect(otherModel.divergence?.code).toBe('unexpected_call');
    const twice = async (): Promise<unknown> => [await ask('one'), await ask('two')];
    expect((await replay(path, asAgent(twice), options)).divergence?.code).toBe('unexpected_call');
    expect(ran).toEqual(['big rewritten', 'big one']);
  });

  it('B213 needs no recorded answer of a named LLM', async () => {
    const trace = loadTrace(await recorded(() => ask('cut short')));
    const partial = { ...trace, status: 'running' as const, events: trace.events.slice(0, 2) };
    const report = await replay(
      partial,
      asAgent(() => ask('cut short')),
      { mode: 'hybrid', liveLlms: ['big'] },
    );
    expect([report.verdict, report.output]).toEqual(['matched', 'live answer to cut short']);
  });

  it('B216 expects the calls that the body of a real one makes, frozen', async () => {
    const think = (): Promise<unknown> =>
      llmRequest({
        provider: 'acme',
        model: 'thinker',
        input: {},
        call: async () => {
          ran.push('thinker');
          return [await search('inner'), await search('more')];
        },
      });
    const path = await recorded(think);
    const options = { mode: 'hybrid', liveLlms: ['thinker'] } as const;
    const report = await replay(path, asAgent(think), options);
    expect(report).toMatchObject({ verdict: 'matched', counts: { recorded: 3, substituted: 2, executed: 1 } });
    expect(ran).toEqual(['thinker']);
    const frozen = await replay(path, asAgent(think));
    expect(frozen.counts).toEqual({ recorded: 1, substituted: 1, executed: 0 });
    const forgetful = (): Promise<unknown> =>
      llmRequest({ provider: 'acme', model: 'thinker', input: {}, call: () => search('inner') });
    expect((await replay(path, asAgent(forgetful), options)).divergence).toMatchObject({
      code: 'missing_call',
      name: 'search',
    });
  });

  it('waits for a real answer for as long as it takes, and delivers what came after it only then', async () => {
    const slow = (ms: number) => (): Promise<string> =>
      llmRequest({ provider: 'acme', model: 'slow', input: {}, call: () => sleep(ms).then(() => 'slow') });
    const order = async (ms: number): Promise<unknown> => {
      const seen: unknown[] = [];
      const see = (value: unknown): unknown => seen.push(value);
      await Promise.all([
        slow(ms)().then(see),
        search('later')
          .then(() => search('latest'))
          .then(see),
      ]);
      return seen;
    };
    const path = await recorded(() => order(1));
    const report = await replay(
      path,
      asAgent(() => order(300)),
      {
        mode: 'hybrid',
        liveLlms: ['slow'],
        noProgressMs: 50,
      },
    );
    expect([report.verdict, report.output]).toEqual(['matched', ['slow', 'recorded results for latest']]);
  });

  it('passes on what a real LLM streams, throws or answers at once', async () => {
    const stream = (pieces: readonly string[]): Promise<AsyncGenerator<string>> =>
      llmRequest({
        provider: 'acme',
        model: 'streams',
        input: {},
        call: async () =>
          (async function* () {
            for (const piece of pieces) yield `${piece} ${await search(piece)}`;
          })(),
      });
    const read = async (pieces: readonly string[]): Promise<unknown> => {
      const text: string[] = [];
      for await (const piece of await stream(pieces)) text.push(piece);
      return text;
    };
    const path = await recorded(() => read(['a', 'b']));
    const options = { mode: 'hybrid', liveLlms: ['streams'] } as const;
    const report = await replay(
      path,
      asAgent(() => read(['a', 'b'])),
      options,
    );
    expect(report).toMatchObject({ verdict: 'matched', counts: { executed: 1, substituted: 2 } });
    expect(report.calls[0]?.status).toBe('ok');

    const fail = (): Promise<never> =>
      llmRequest({ provider: 'acme', model: 'streams', input: {}, call: () => Promise.reject(new RangeError('no')) });
    const failed = await replay(path, asAgent(fail), options);
    expect(failed.calls[0]).toMatchObject({ action: 'executed', status: 'error' });
    expect(failed.error).toEqual({ name: 'RangeError', message: 'no' });

    const atOnce = (): string => llmRequest({ provider: 'acme', model: 'streams', input: {}, call: () => 'at once' });
    expect((await replay(path, asAgent(atOnce), options)).output).toBe('at once');
  });
});

describe('live', () => {
  it('B210 runs LLMs and the allowed tools, each of which must be the recorded call', async () => {
    const path = await recorded(agent);
    const options = { mode: 'live', allowLiveTools: ['search'] } as const;
    const report = await replay(path, asAgent(agent), options);
    expect(report.counts).toEqual({ recorded: 3, substituted: 0, executed: 3 });
    expect([...ran].sort()).toEqual(['big question', 'search cats', 'small summary']);
    ran = [];
    const changed = await replay(
      path,
      asAgent(() => search('dogs')),
      options,
    );
    expect([changed.divergence?.code, ran]).toEqual(['input_changed', []]);
  });

  it('B210 refuses any other tool before its body runs, and takes nothing', async () => {
    const path = await recorded(() => search('cats'));
    const report = await replay(
      path,
      asAgent(() => search('cats')),
      { mode: 'live' },
    );
    expect(report.divergence).toMatchObject({
      code: 'policy',
      message: "call #1: tool 'search' is not in allowLiveTools, so its body may not run",
    });
    expect([ran, report.counts.executed]).toEqual([[], 0]);
  });

  it('B210 needs a recorded outcome', async () => {
    const trace = loadTrace(await recorded(() => ask('cut short')));
    const partial = { ...trace, status: 'running' as const, events: trace.events.slice(0, 2) };
    const report = await replay(
      partial,
      asAgent(() => ask('cut short')),
      { mode: 'live' },
    );
    expect([report.divergence?.code, ran]).toEqual(['unservable', []]);
  });

  it('B214 keeps the calls that real bodies make', async () => {
    const path = await recorded(() => research('cats'));
    const options = { mode: 'live', allowLiveTools: ['research', 'search', 'now'] } as const;
    const report = await replay(
      path,
      asAgent(() => research('cats')),
      options,
    );
    expect(report).toMatchObject({
      counts: { recorded: 3, executed: 3 },
      output: 'live results for cats, read at live',
    });
    const strict = await replay(
      path,
      asAgent(() => research('cats')),
      { ...options, order: 'strict' },
    );
    expect(strict.counts.executed).toBe(3);
    const partly = await replay(
      path,
      asAgent(() => research('cats')),
      { mode: 'live', allowLiveTools: ['research'] },
    );
    expect(partly.divergence).toMatchObject({ code: 'policy', name: 'search' });
  });

  it('runs generators in their own context', async () => {
    const pages = traceTool('pages', async function* () {
      yield await search('page one');
      yield await search('page two');
    });
    const countdown = traceTool('countdown', function* () {
      yield now();
      yield now();
    });
    const read = async (): Promise<unknown> => {
      const all: unknown[] = [...countdown()];
      for await (const page of pages()) all.push(page);
      return all;
    };
    const path = await recorded(read);
    const report = await replay(path, asAgent(read), {
      mode: 'live',
      allowLiveTools: ['pages', 'countdown', 'search', 'now'],
    });
    expect(report).toMatchObject({ divergence: null, counts: { recorded: 6, executed: 6 } });
  });
});

describe('forbidden', () => {
  it('B209 refuses every call before anything is looked for', async () => {
    const path = await recorded(() => search('cats'));
    const report = await replay(
      path,
      asAgent(() => search('cats')),
      { mode: 'forbidden' },
    );
    expect(report.divergence).toMatchObject({ code: 'policy', recorded: null });
    expect(ran).toEqual([]);
    expect(
      (
        await replay(
          await recorded(() => 1),
          asAgent(() => 1),
          { mode: 'forbidden' },
        )
      ).verdict,
    ).toBe('matched');
  });
});

describe('manual', () => {
  it('asks for each call that is in the recording, and does as it is told', async () => {
    const path = await recorded(agent);
    const asked: PendingCall[] = [];
    const report = await replay(path, asAgent(agent), {
      mode: 'manual',
      approve: (call) => {
        asked.push(call);
        return call.kind === 'tool' ? 'live' : 'recorded';
      },
    });
    expect(asked.map(({ name, input, index }) => [name, input, index])).toEqual([
      ['big', { prompt: 'question' }, 0],
      ['search', { args: ['cats'] }, 1],
      ['small', { prompt: 'summary' }, 2],
    ]);
    expect(ran).toEqual(['search cats']);
    expect(report.counts).toEqual({ recorded: 3, substituted: 2, executed: 1 });
  });

  it('diverges where a call is refused, and breaks where the answer is none', async () => {
    const path = await recorded(() => search('cats'));
    const entry = asAgent(() => search('cats'));
    const refused = await replay(path, entry, { mode: 'manual', approve: () => 'refuse' });
    expect(refused.divergence?.message).toBe("call #1: tool 'search' was refused by option approve");
    await expect(replay(path, entry, anyOptions({ mode: 'manual', approve: async () => 'live' }))).rejects.toThrow(
      "option approve must answer 'recorded', 'live' or 'refuse' at once, not object",
    );
    expect(ran).toEqual([]);
  });

  it("decides on calls whose own policy wants a person's word, and on none that is forbidden", async () => {
    const pay = traceTool({ name: 'pay', replayPolicy: 'manual' }, async () => {
      ran.push('pay');
      return world;
    });
    const wipe = traceTool({ name: 'wipe', replayPolicy: 'forbidden' }, async () => world);
    const path = await recorded(() => pay());
    expect(
      (
        await replay(
          path,
          asAgent(() => pay()),
        )
      ).divergence?.code,
    ).toBe('policy');
    const approved = await replay(
      path,
      asAgent(() => pay()),
      { mode: 'manual', approve: () => 'recorded' },
    );
    expect([approved.output, ran]).toEqual(['recorded', []]);
    const wiped = await recorded(() => wipe());
    const report = await replay(
      wiped,
      asAgent(() => wipe()),
      { mode: 'manual', approve: () => 'live' },
    );
    expect(report.divergence?.code).toBe('policy');
  });
});

describe('options that do not fit', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['B211', { allowLiveTools: ['search'] }, "option allowLiveTools is for mode 'live', and the mode is 'frozen'"],
    ['B211', { mode: 'live', allowLiveTools: [''] }, 'option allowLiveTools must be a list of names'],
    ['B211', { mode: 'live', allowLiveTools: ['serach'] }, "option allowLiveTools names 'serach', which the recording"],
    ['B212', { liveLlms: ['acme/big'] }, "option liveLlms is for mode 'hybrid', and the mode is 'frozen'"],
    ['B212', { mode: 'hybrid' }, "mode 'hybrid' needs option liveLlms"],
    ['B212', { mode: 'hybrid', liveLlms: [] }, "mode 'hybrid' needs option liveLlms"],
    ['B212', { mode: 'hybrid', liveLlms: ['acme/bigger'] }, 'it holds acme/big, big, acme/small, small'],
    ['manual', { mode: 'manual' }, "mode 'manual' needs option approve"],
    ['any', { mode: 'turbo' }, 'option mode must be one of'],
  ])('%s are refused when the replay is made: %o', async (_id, options, message) => {
    const path = await recorded(agent);
    await expect(replay(path, asAgent(agent), anyOptions(options))).rejects.toThrow(message);
    expect(ran).toEqual([]);
  });
});

describe('a policy in a bundle', () => {
  it('B208 never lets a call run: live on a call changes nothing', async () => {
    const risky = traceTool({ name: 'risky', replayPolicy: 'live' }, async () => {
      ran.push('risky');
      return world;
    });
    const path = await recorded(() => risky());
    expect(
      (
        await replay(
          path,
          asAgent(() => risky()),
        )
      ).output,
    ).toBe('recorded');
    expect(
      (
        await replay(
          path,
          asAgent(() => risky()),
          { mode: 'live' },
        )
      ).divergence?.code,
    ).toBe('policy');
    expect(ran).toEqual([]);
  });
});

describe('a real body', () => {
  it('reaches the network', async () => {
    const server = createServer((_request, response) => response.end('hi')).listen(0);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const fetchPage = traceTool('fetch_page', async () => {
      const [response] = await once(get({ port, host: '127.0.0.1' }), 'response');
      let text = '';
      for await (const chunk of response) text += chunk;
      return text;
    });
    const output = bundlePath();
    await record('agent', { output }, () => fetchPage());
    const report = await replay(
      output,
      asAgent(() => fetchPage()),
      { mode: 'live', allowLiveTools: ['fetch_page'] },
    );
    server.close();
    expect(report).toMatchObject({ verdict: 'matched', counts: { executed: 1 }, output: 'hi' });
  });
});
