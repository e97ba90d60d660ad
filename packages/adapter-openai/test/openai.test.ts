import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GOOD_KEY, roundTrip, startOpenAiServer, type WireServer } from '@stepfork/adapter-conformance';
import { record, traceTool } from '@stepfork/recorder';
import { installFetch } from '@stepfork/recorder/fetch';
import { replay } from '@stepfork/replay';
import { loadTrace } from '@stepfork/trace-format';
import OpenAI, { AzureOpenAI } from 'openai';
import { zodFunction } from 'openai/helpers/zod';
import Newest from 'openai-newest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { instrument } from '../src/index.js';

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
const client = (): OpenAI => instrument(new OpenAI({ apiKey: GOOD_KEY, baseURL: `${server.origin}/v1` }));
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

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

describe('an instrumented client', () => {
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

  test.each([
    ['6', OpenAI],
    ['7', Newest as unknown as typeof OpenAI],
  ])('asks for the key of a copy where that one is needed: release %s', async (_release, Sdk) => {
    const asked: string[] = [];
    const keyOf = (name: string) => async () => {
      asked.push(name);
      return GOOD_KEY;
    };
    const original = instrument(new Sdk({ apiKey: keyOf('original'), baseURL: `${server.origin}/v1` }));
    const copies = [original.withOptions({ maxRetries: 0 }), original.withOptions({ apiKey: keyOf('copy') })];
    const agent = async () => {
      for (const openai of copies) await openai.chat.completions.create(chat('hi'));
    };
    await record('agent', { output: bundle() }, agent);
    expect(asked.splice(0)).toEqual(['original', 'copy']);
    expect((await replay(bundle(), agent)).verdict).toBe('matched');
    expect(asked).toEqual([]);
    expect((await replay(bundle(), agent, { mode: 'live' })).verdict).toBe('matched');
    expect(asked).toEqual(['original', 'copy']);
  });

  test('is refused where it is no client', () => {
    expect(() => instrument({ chat: {} })).toThrow(/^the openai adapter needs a client that has fetch, baseURL/);
    expect(() => instrument({ chat: {} })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});

describe('a client that is not instrumented', () => {
  const plain = (): OpenAI => new OpenAI({ apiKey: GOOD_KEY, baseURL: `${server.origin}/v1` });
  const warned: (Error & { code?: string })[] = [];
  const onWarning = (warning: Error): void => void warned.push(warning);
  const ask = (openai: OpenAI) => () => openai.chat.completions.create(chat('hi'));
  let uninstall = (): void => {};
  const llmCalls = (): number => loadTrace(bundle()).events.filter(({ type }) => type === 'llm_request').length;

  beforeEach(() => {
    warned.length = 0;
    process.on('warning', onWarning);
  });
  afterEach(() => {
    process.off('warning', onWarning);
    uninstall();
  });

  test('is recorded where it was made after installFetch(), and named once where it was made before', async () => {
    const before = plain();
    uninstall = installFetch();
    const after = plain();
    await record('agent', { output: bundle() }, ask(after));
    expect([llmCalls(), warned]).toEqual([1, []]);
    await record('agent', { output: bundle(), overwrite: true }, async () => {
      await ask(before)();
      await ask(before)();
    });
    expect(llmCalls()).toBe(0);
    expect(warned.map(({ code, message }) => [code, message.includes(new URL(server.origin).host)])).toEqual([
      ['request_not_recorded', true],
    ]);
  });

  test('is not named outside a run, nor inside the body of a call', async () => {
    const before = plain();
    uninstall = installFetch();
    await ask(before)();
    const model = traceTool('model', ask(before));
    await record('agent', { output: bundle() }, () => model());
    expect(warned).toEqual([]);
  });
});
