import { type AdapterUnderTest, type Question, startOpenAiServer } from '@stepfork/adapter-conformance';
import { z } from 'zod';
import { instrument } from '../../src/index.js';
import { AGENTS, MODEL } from '../support/agents.js';
import type { Ai, OpenAIProvider, Release } from '../support/release.js';

/** The adapter, and how this release of the SDK is used. A client is a provider. */
export function aiSdkUnderTest(release: Release): AdapterUnderTest<OpenAIProvider> {
  const { ai, createOpenAI } = release;
  const asked = (provider: OpenAIProvider, { text, model = MODEL, image, signal }: Question) => {
    const content = [
      { type: 'text' as const, text },
      ...(image === undefined ? [] : [{ type: 'file' as const, data: image, mediaType: 'image/png' }]),
    ];
    const messages = [{ role: 'user' as const, content }];
    return { model: provider.chat(model), messages, ...(signal === undefined ? {} : { abortSignal: signal }) };
  };
  return {
    provider: 'openai',
    root: '/v1',
    serve: startOpenAiServer,
    connect: createOpenAI,
    instrument,
    standsIn: true,
    async ask(provider, question) {
      const { text, finishReason, usage, warnings } = await ai.generateText(asked(provider, question));
      return { text, finishReason, usage, warnings };
    },
    stream: async (provider, question) => textOf(ai, asked(provider, question)),
    async runTools(provider, question, { name, run }) {
      const tools = instrument({ [name]: ai.tool({ inputSchema: z.object({ city: z.string() }), execute: run }) });
      const { text } = await ai.generateText({ ...asked(provider, question), tools, stopWhen: ai.stepCountIs(3) });
      return text;
    },
    apis: Object.fromEntries(
      Object.entries(AGENTS).map(([api, agent]) => [
        api,
        (provider: OpenAIProvider) => agent({ ...release, provider, ran: () => {} }),
      ]),
    ),
  };
}

/** A stream whose errors are thrown, and not parts of it. */
async function* textOf(ai: Ai, asked: Parameters<Ai['streamText']>[0]): AsyncGenerator<string> {
  for await (const part of ai.streamText({ ...asked, onError: () => {} }).fullStream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') yield part.text;
  }
}
