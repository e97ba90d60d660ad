import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GOOD_KEY, roundTrip, startOpenAiServer, type WireServer } from '@stepfork/adapter-conformance';
import { traceTool } from '@stepfork/recorder';
import { installFetch } from '@stepfork/recorder/fetch';
import type { LanguageModel } from 'ai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { instrument } from '../src/index.js';
import { MODEL, toolsOf } from './support/agents.js';
import type { Ai } from './support/release.js';
import { RELEASES } from './support/releases.js';

let server: WireServer;
let folder: string;
beforeEach(async () => {
  server = await startOpenAiServer();
  folder = mkdtempSync(join(tmpdir(), 'stepfork-ai-sdk-'));
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const bundle = (): string => join(folder, 'run.sftrace');

describe.each(Object.entries(RELEASES))('with ai %s', (_name, release) => {
  const bare = () => release.createOpenAI({ apiKey: GOOD_KEY, baseURL: `${server.origin}/v1` });

  test.each<[string, (ai: Ai, model: LanguageModel, prompt: string) => Promise<unknown>]>([
    ['thrown to the caller', (ai, model, prompt) => ai.generateText({ model, prompt })],
    ['swallowed by the agent', (ai, model, prompt) => ai.generateText({ model, prompt }).catch(() => 'fine')],
    [
      'swallowed by the SDK',
      async (ai, model, prompt) => ai.streamText({ model, prompt, onError: () => {} }).text.then(String, () => 'fine'),
    ],
  ])('diverges at a changed prompt, at once and without a retry, when that is %s', async (_how, ask) => {
    const provider = instrument(bare());
    const agent = (prompt: string) => async () => [typeof (await ask(release.ai, provider.chat(MODEL), prompt))];
    const { report } = await roundTrip(bundle(), server, agent('one'), { replayed: agent('two') });
    expect([report.verdict, report.divergence?.code]).toEqual(['diverged', 'input_changed']);
    expect(report.divergence?.differences).toMatchObject([{ path: 'body.messages[0].content', actual: 'two' }]);
    // One refusal: a retry would be another.
    expect(report.calls.filter(({ action }) => action === 'refused')).toHaveLength(1);
  });

  test('diverges at a changed input of a tool, though the SDK gives the refusal to the model', async () => {
    const { ai } = release;
    const model = instrument(bare().chat(MODEL));
    const agent = (unit: string) => async () => {
      const execute = async (): Promise<number> => 21;
      const inputSchema = z.object({ city: z.string() }).transform((input) => ({ ...input, unit }));
      const tools = instrument({ weather: ai.tool({ inputSchema, execute }) });
      return (await ai.generateText({ model, tools, prompt: 'Rome?', stopWhen: ai.stepCountIs(3) })).text;
    };
    const { report } = await roundTrip(bundle(), server, agent('C'), { replayed: agent('F') });
    expect([report.verdict, report.divergence?.code]).toEqual(['diverged', 'input_changed']);
    expect(report.divergence?.differences).toMatchObject([{ path: 'unit', recorded: 'C', actual: 'F' }]);
  });

  test('records an attempt that failed as a request of its own, ended by an error', async () => {
    const { ai } = release;
    const model = instrument(bare().chat('busy-once'));
    const { trace } = await roundTrip(bundle(), server, () => ai.generateText({ model, prompt: 'hi' }).then(String));
    expect(trace.events.map(({ type }) => type)).toEqual([
      ...['run_start', 'llm_request', 'error', 'llm_request', 'llm_response', 'run_end'],
    ]);
    expect(trace.events[2]).toMatchObject({ message: 'HTTP 429 Too Many Requests: Rate limit reached' });
  });

  test('records tokens of an answer, of a stream and of an embedding', async () => {
    const { ai } = release;
    const provider = instrument(bare());
    const { trace } = await roundTrip(bundle(), server, async () => {
      await ai.generateText({ model: provider.chat(MODEL), prompt: 'hi' });
      await ai.streamText({ model: provider.chat(MODEL), prompt: 'hi' }).text;
      await ai.embed({ model: provider.embedding('embed-1'), value: 'two words' });
    });
    const answers = trace.events.filter((event) => event.type === 'llm_response');
    expect(
      answers.map((event) => [event.model, event.prompt_tokens, event.completion_tokens, event.total_tokens]),
    ).toEqual([
      [MODEL, 11, 7, 18],
      [MODEL, 11, 7, 18],
      ['embed-1', 2, null, 2],
    ]);
  });

  test('takes a model that is named by a text, from the default provider', async () => {
    const { ai } = release;
    const world = globalThis as { AI_SDK_DEFAULT_PROVIDER?: unknown };
    const before = world.AI_SDK_DEFAULT_PROVIDER;
    world.AI_SDK_DEFAULT_PROVIDER = instrument(bare());
    try {
      const agent = async () => (await ai.generateText({ model: MODEL, prompt: 'hi' })).text;
      const { report, trace } = await roundTrip(bundle(), server, agent);
      expect([report.verdict, report.counts.substituted]).toEqual(['matched', 1]);
      expect(trace.events[1]).toMatchObject({ type: 'llm_request', model: MODEL, provider: 'openai' });
    } finally {
      world.AI_SDK_DEFAULT_PROVIDER = before;
    }
  });

  test('records a request once, through whatever else it passes', async () => {
    const { ai } = release;
    const uninstall = installFetch();
    try {
      const inner = instrument(instrument(bare()).chat(MODEL));
      const middleware = { specificationVersion: inner.specificationVersion } as never;
      const model = instrument(ai.wrapLanguageModel({ model: inner, middleware }));
      const agent = async () => [
        (await ai.generateText({ model, prompt: 'hi' })).text,
        await ai.streamText({ model, prompt: 'hi' }).text,
      ];
      const { report, trace } = await roundTrip(bundle(), server, agent);
      expect(report.verdict).toBe('matched');
      expect(trace.events.filter(({ type }) => type === 'llm_request')).toHaveLength(2);
    } finally {
      uninstall();
    }
  });

  test('names no tool twice that is traced already, and knows it by its own name', async () => {
    const { ai } = release;
    const model = instrument(bare().chat(MODEL));
    const execute = traceTool('own_weather', async ({ city }: { city: string }) => ({ city, degrees: 21 }));
    const tools = instrument({ weather: ai.tool({ inputSchema: z.object({ city: z.string() }), execute }) });
    const agent = async () =>
      (await ai.generateText({ model, tools, prompt: 'Rome?', stopWhen: ai.stepCountIs(3) })).text;
    const { trace } = await roundTrip(bundle(), server, agent);
    const calls = trace.events.filter((event) => event.type === 'tool_call');
    expect(calls.map(({ name, input }) => [name, input])).toEqual([['own_weather', { city: 'Rome' }]]);
  });

  test('gives a provider, a model and tools of the type that they are, once', () => {
    const { ai } = release;
    const provider = bare();
    const recorded: typeof provider = instrument(provider);
    expect(instrument(recorded)).toBe(recorded);
    expect(recorded.chat).toBe(recorded.chat);
    expect(Object.keys(recorded)).toEqual(Object.keys(provider));
    const model = provider.chat(MODEL);
    const { doGenerate } = model;
    expect(instrument(model)).toBe(model);
    expect(instrument(model).doGenerate).toBe(doGenerate);
    const tools = { ...toolsOf({ ai, ran: () => {} }), search: provider.tools.webSearch() };
    const traced: typeof tools = instrument(tools);
    expect(instrument(traced)).toBe(traced);
    expect(traced.search).toBe(tools.search);
    expect(Object.keys(traced.async)).toEqual(Object.keys(tools.async));
    expect(tools.async.execute).not.toBe(traced.async.execute);
    expect(instrument({})).toEqual({});
  });
});

test('anything else is refused', () => {
  for (const other of [{ chat: {} }, [], () => {}, new Date()]) {
    expect(() => instrument(other)).toThrow(/^the ai-sdk adapter needs a provider, a model or an object of tools/);
    expect(() => instrument(other)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  }
});
