import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { traceTool } from '@stepfork/recorder';
import { replay } from '@stepfork/replay';
import { loadTrace } from '@stepfork/trace-format';
import OpenAI, { AzureOpenAI } from 'openai';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { roundTrip } from '../../recorder/test/fetch/support/round-trip.js';
import { instrument } from '../src/index.js';
import { startOpenAiServer, type WireServer } from './support/openai-server.js';

let server: WireServer;
let folder: string;
beforeEach(async () => {
  server = await startOpenAiServer();
  folder = mkdtempSync(join(tmpdir(), 'stepfork-openai-'));
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const bundle = (): string => join(folder, 'run.sftrace');
const client = (): OpenAI => instrument(bare());
const bare = (): OpenAI => new OpenAI({ apiKey: 'sk-test-0123456789abcdef', baseURL: `${server.origin}/v1` });
const user = (content: string): { role: 'user'; content: string } => ({ role: 'user', content });
const chat = (content: string, model = 'gpt-4o-mini') => ({ model, messages: [user(content)] });
const WEATHER = {
  type: 'function' as const,
  function: {
    name: 'weather',
    description: 'The weather in a city',
    parameters: { type: 'object' as const, properties: { city: { type: 'string' as const } } },
  },
};

/** What can be said of an error that an SDK throws. */
const thrownBy = (made: Promise<unknown>): Promise<unknown> =>
  made.then(
    () => 'nothing',
    (error: { name: string; constructor: { name: string }; status?: number; message: string; requestID?: string }) => [
      error.constructor.name,
      error.status,
      error.message,
      error.requestID,
    ],
  );

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

const agents: Readonly<Record<string, (openai: OpenAI) => Promise<unknown>>> = {
  'chat.completions.create': async (openai) => {
    const completion = await openai.chat.completions.create(chat('hi'));
    return [completion, completion._request_id];
  },
  'chat.completions.create, streamed': async (openai) =>
    all(await openai.chat.completions.create({ ...chat('hi'), stream: true })),
  'chat.completions.stream with tool calls': async (openai) => {
    const stream = openai.chat.completions.stream({ ...chat('weather in Rome?'), tools: [WEATHER] });
    const deltas: string[] = [];
    stream.on('tool_calls.function.arguments.delta', ({ arguments_delta }) => deltas.push(arguments_delta));
    return [await stream.finalMessage(), await stream.totalUsage(), deltas];
  },
  'chat.completions.parse': async (openai) => {
    const format = zodResponseFormat(z.object({ city: z.string() }), 'place');
    const parsed = await openai.chat.completions.parse({ ...chat('{"city":"Rome"}'), response_format: format });
    return parsed.choices[0]?.message.parsed;
  },
  'withResponse and asResponse': async (openai) => {
    const { data, response, request_id } = await openai.chat.completions.create(chat('hi')).withResponse();
    const raw = await openai.chat.completions.create(chat('hi')).asResponse();
    return [data, response.status, request_id, await raw.text()];
  },
  'responses.create': async (openai) => {
    const { output_text, usage } = await openai.responses.create({ model: 'gpt-4o-mini', input: 'me' });
    return [output_text, usage];
  },
  'responses.create, streamed': async (openai) =>
    all(await openai.responses.create({ model: 'gpt-4o-mini', input: 'me', stream: true })),
  'responses.stream': async (openai) => {
    const stream = openai.responses.stream({ model: 'gpt-4o-mini', input: 'me' });
    return [(await all(stream)).length, (await stream.finalResponse()).output_text];
  },
  'embeddings.create': async (openai) =>
    (await openai.embeddings.create({ model: 'embed-1', input: 'two words' })).data[0]?.embedding,
  'a 429, then success': async (openai) => openai.chat.completions.create(chat('hi', 'busy-once')),
  'a 500, then success': async (openai) => openai.chat.completions.create(chat('hi', 'down-once')),
  'a 404': (openai) => thrownBy(openai.chat.completions.create(chat('hi', 'no-such-model'))),
  'an abandoned stream': async (openai) => {
    for await (const chunk of await openai.chat.completions.create({ ...chat('hi'), stream: true })) {
      if (chunk.choices[0]?.delta.content) return chunk;
    }
    return null;
  },
  'parallel calls that end out of order': async (openai) => {
    const ended: string[] = [];
    const ask = async (content: string): Promise<unknown> => {
      const completion = await openai.chat.completions.create(chat(content));
      ended.push(content);
      return completion;
    };
    return [await Promise.all(['slow', 'fast', 'slow'].map(ask)), ended];
  },
  'a copy by withOptions': async (openai) => openai.withOptions({ maxRetries: 0 }).chat.completions.create(chat('hi')),
};

/** As JSON has it: what is left out there is no difference. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('an instrumented client', () => {
  test.each(Object.entries(agents))('replays what it recorded with the server off: %s', async (_api, agent) => {
    const openai = client();
    const { recorded, report, trace, requests } = await roundTrip(bundle(), server, () => agent(openai));
    expect([report.verdict, report.divergence, report.notes]).toEqual(['matched', null, []]);
    expect(plain(report.output)).toEqual(plain(recorded));
    expect(report.counts).toMatchObject({ recorded: requests, substituted: requests, executed: 0 });
    expect(server.requests).toHaveLength(requests);
    const asked = trace.events.filter(({ type }) => type === 'llm_request');
    expect(asked).toHaveLength(requests);
    expect(asked).toEqual(asked.map(() => expect.objectContaining({ provider: 'openai' })));
    expect(JSON.stringify(trace)).not.toContain('0123456789abcdef');
  });

  test('replays all that the page says', () => {
    const page = readFileSync(new URL('../../../docs/integrations.md', import.meta.url), 'utf8');
    const [, table = ''] = /^\| what replays with the server off[^\n]*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(page) ?? [];
    const rows = [...table.matchAll(/^\| (.*?) \|/gm)].map(([, api = '']) => api.replaceAll('`', ''));
    expect(rows).toEqual([...Object.keys(agents), 'runTools']);
  });

  test('records tokens of an answer and of a stream, and the message that a stream makes', async () => {
    const openai = client();
    const { trace } = await roundTrip(bundle(), server, async () => {
      await openai.chat.completions.create(chat('hi'));
      await all(await openai.chat.completions.create({ ...chat('hi'), stream: true }));
      await all(await openai.responses.create({ model: 'gpt-4o-mini', input: 'me', stream: true }));
    });
    const answers = trace.events.filter((event) => event.type === 'llm_response');
    expect(answers.map(({ prompt_tokens, completion_tokens }) => [prompt_tokens, completion_tokens])).toEqual([
      [11, 7],
      [11, 7],
      [5, 3],
    ]);
    expect(answers[1]?.output).toMatchObject({
      returned: { choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: 'grüße 👋 hi' } }] },
    });
    expect(answers[2]?.output).toMatchObject({ returned: { id: 'resp_1', status: 'completed' } });
  });

  test('records an attempt that failed as a request of its own, ended by an error', async () => {
    const openai = client();
    const { trace } = await roundTrip(bundle(), server, () => openai.chat.completions.create(chat('hi', 'busy-once')));
    expect(trace.events.map(({ type }) => type)).toEqual([
      'run_start',
      'llm_request',
      'error',
      'llm_request',
      'llm_response',
      'run_end',
    ]);
    expect(trace.events[2]).toMatchObject({ message: 'HTTP 429 Too Many Requests: Rate limit reached' });
  });

  test.each([
    [
      'thrown to the caller',
      (openai: OpenAI, content: string) => thrownBy(openai.chat.completions.create(chat(content))),
    ],
    [
      'swallowed',
      (openai: OpenAI, content: string) => openai.chat.completions.create(chat(content)).catch(() => 'fine'),
    ],
    [
      'met by a stream helper',
      (openai: OpenAI, content: string) => thrownBy(openai.chat.completions.stream(chat(content)).done()),
    ],
  ])('diverges at a changed prompt, at once and without a retry, when that is %s', async (_how, ask) => {
    const openai = client();
    const { report } = await roundTrip(bundle(), server, () => ask(openai, 'one'), {
      replayed: () => ask(openai, 'two'),
    });
    expect([report.verdict, report.divergence?.code]).toEqual(['diverged', 'input_changed']);
    expect(report.divergence?.differences).toMatchObject([{ path: 'body.messages[0].content', actual: 'two' }]);
    // One refusal: a retry would be another.
    expect(report.calls.filter(({ action }) => action === 'refused')).toHaveLength(1);
  });

  test('runs no function of runTools again, whether plain, parsed, traced before or with a schema', async () => {
    const ran: string[] = [];
    const body = (city: unknown, ...rest: readonly unknown[]): unknown => {
      ran.push(`${JSON.stringify(city)} ${rest.length}`);
      return { degrees: 21 };
    };
    const functions = {
      plain: { function: (city: string, runner: unknown) => body(city, runner) },
      parsed: { function: (city: { city: string }, runner: unknown) => body(city, runner), parse: JSON.parse },
      traced: { function: traceTool('weather', (city: string) => body(city)), parse: JSON.parse },
    };
    const openai = client();
    const parameters = z.object({ city: z.string() });
    const bySchema = zodFunction({ name: 'weather', parameters, function: (city) => body(city) as object });
    const askBySchema = async (): Promise<unknown> =>
      openai.chat.completions.runTools({ ...chat('weather in Rome?'), tools: [bySchema] }).finalContent();
    const ask = async (own: { function: (...args: never[]) => unknown }): Promise<unknown> => {
      const tools = [{ ...WEATHER, function: { ...WEATHER.function, ...own } }] as never;
      const runner = openai.chat.completions.runTools({ ...chat('weather in Rome?'), tools });
      return runner.finalContent();
    };
    const { recorded, report, trace } = await roundTrip(bundle(), server, async () => [
      await ask(functions.plain),
      await ask(functions.parsed),
      await ask(functions.traced),
      await askBySchema(),
      await openai.chat.completions
        .runTools({ ...chat('weather in Rome?'), tools: [bySchema], stream: true })
        .finalContent(),
    ]);
    expect(recorded).toEqual([...Array(4).fill('{"degrees":21}'), 'grüße 👋 {"degrees":21}']);
    expect([report.verdict, report.output]).toEqual(['matched', recorded]);
    expect(ran).toHaveLength(5);
    const calls = trace.events.filter((event) => event.type === 'tool_call');
    expect(calls.map(({ name, input }) => [name, input])).toEqual(Array(5).fill(['weather', { city: 'Rome' }]));
  });

  test('is the client that it was, however often it is instrumented', () => {
    const openai = bare();
    const { runTools } = openai.chat.completions;
    expect(instrument(openai)).toBe(openai);
    const { fetch } = openai as unknown as { fetch: unknown };
    expect(instrument(openai)).toBe(openai);
    expect((openai as unknown as { fetch: unknown }).fetch).toBe(fetch);
    expect(openai.chat.completions.runTools).not.toBe(runTools);
    expect(Object.keys(openai)).toEqual(Object.keys(bare()));
    expect(instrument(openai.withOptions({ timeout: 5 }))).toBeInstanceOf(OpenAI);
  });

  test('takes a client of Azure, and names its provider by its host', async () => {
    const azure = instrument(
      new AzureOpenAI({
        apiKey: 'a1',
        apiVersion: '2024-10-21',
        endpoint: 'https://demo.openai.azure.com',
        fetch: async () => Response.json({ choices: [] }),
      }),
    );
    await roundTrip(bundle(), server, () => azure.chat.completions.create(chat('hi')));
    const [request] = loadTrace(bundle()).events.filter((event) => event.type === 'llm_request');
    expect(request).toMatchObject({ provider: 'azure', model: 'gpt-4o-mini' });
    expect((await replay(bundle(), () => azure.chat.completions.create(chat('hi')))).verdict).toBe('matched');
  });

  test('is refused where it is no client', () => {
    expect(() => instrument({ chat: {} })).toThrow(/^the openai adapter needs a client that has fetch, baseURL/);
    expect(() => instrument({ chat: {} })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});
