import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GOOD_KEY,
  MODELS,
  openAiAnswers,
  pathOf,
  reaching,
  roundTrip,
  startWireServer,
  type WireServer,
} from '@stepfork/adapter-conformance';
import { installFetch } from '@stepfork/recorder/fetch';
import OpenAI from 'openai';
import Newest from 'openai-newest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { instrument } from '../../src/index.js';

let server: WireServer;
let folder: string;
const fetchBefore = globalThis.fetch;

beforeEach(async () => {
  const answer = openAiAnswers();
  server = await startWireServer((request, number) =>
    pathOf(request) === '/forecast' ? { json: { degrees: 21 } } : answer(request, number),
  );
  folder = mkdtempSync(join(tmpdir(), 'stepfork-third-parties-'));
  // Whatever host is named, it is the server here that answers.
  globalThis.fetch = reaching(server.origin);
});
afterEach(async () => {
  globalThis.fetch = fetchBefore;
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Base URLs with a path, and with a query, which the package takes from release 7 on in the URL itself. */
const THIRD_PARTIES: Readonly<
  Record<string, { readonly path: string; readonly query?: object; readonly provider: string; make: () => OpenAI }>
> = {
  'of a known host': {
    path: '/openai/v1/chat/completions',
    provider: 'groq',
    make: () => new OpenAI({ apiKey: GOOD_KEY, baseURL: 'https://api.groq.com/openai/v1' }),
  },
  'of an unknown host': {
    path: '/llm/v1/chat/completions',
    query: { 'api-version': '3' },
    provider: 'openai-compatible',
    make: () =>
      new OpenAI({
        apiKey: GOOD_KEY,
        baseURL: 'https://gateway.acme.test/llm/v1',
        defaultQuery: { 'api-version': '3' },
      }),
  },
  'of an unknown host, with a query': {
    path: '/llm/v1/chat/completions',
    query: { 'api-version': '3' },
    provider: 'openai-compatible',
    make: () =>
      new Newest({ apiKey: GOOD_KEY, baseURL: 'https://gateway.acme.test/llm/v1?api-version=3' }) as unknown as OpenAI,
  },
};

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

const asked = (model: string) => ({ model, messages: [{ role: 'user' as const, content: 'hi' }] });

async function ask(openai: OpenAI): Promise<unknown> {
  return [
    await openai.chat.completions.create(asked('llama-4')),
    await all(await openai.chat.completions.create({ ...asked('llama-4'), stream: true })),
    await openai.chat.completions.create(asked(MODELS.busyOnce)),
  ];
}

describe.each(Object.values(THIRD_PARTIES))(
  'a third party at $path that is $provider',
  ({ path, query, provider, make }) => {
    test.each([
      { how: 'by the global fetch, with one host that nobody knows beside it', isGlobal: true, recordedAs: provider },
      {
        how: 'by an instrumented client',
        isGlobal: false,
        recordedAs: provider === 'openai-compatible' ? 'openai' : provider,
      },
    ])('is recorded and replays $how', async ({ isGlobal, recordedAs }) => {
      const uninstall = isGlobal ? installFetch({ http: true }) : () => {};
      try {
        const openai = isGlobal ? make() : instrument(make());
        const bundle = join(folder, 'run.sftrace');
        const { recorded, report, trace } = await roundTrip(bundle, server, async () => [
          await ask(openai),
          isGlobal ? await (await fetch('https://weather.acme.test/forecast?city=Rome')).json() : null,
        ]);
        expect([report.verdict, report.output]).toEqual(['matched', JSON.parse(JSON.stringify(recorded))]);
        expect([server.knocks(), report.counts.executed]).toEqual([0, 0]);
        const requests = trace.events.filter((event) => event.type === 'llm_request');
        expect(requests.map((request) => [request.provider, request.model])).toEqual(
          ['llama-4', 'llama-4', MODELS.busyOnce, MODELS.busyOnce].map((model) => [recordedAs, model]),
        );
        for (const { input } of requests)
          expect(input).toMatchObject({ method: 'POST', path, ...(query && { query }) });
        const answers = trace.events.filter((event) => event.type === 'llm_response');
        expect(answers.map(({ prompt_tokens, completion_tokens }) => [prompt_tokens, completion_tokens])).toEqual(
          Array(3).fill([11, 7]),
        );
        const tools = trace.events.filter((event) => event.type === 'tool_call');
        const forecast = { method: 'GET', path: '/forecast', query: { city: 'Rome' } };
        expect(tools.map(({ name, input }) => [name, input])).toEqual(
          isGlobal ? [['http:weather.acme.test', forecast]] : [],
        );
      } finally {
        uninstall();
      }
    });
  },
);
