import { type AdapterUnderTest, type Question, startOpenAiServer } from '@stepfork/adapter-conformance';
import type { LanguageModel } from 'ai';
import { z } from 'zod';
import { instrument } from '../../src/index.js';
import { AGENTS, MODEL } from '../support/agents.js';
import type { Ai, OpenAIProvider, Release } from '../support/release.js';

/** The adapter, and how this release of the SDK is used. A client is a provider. */
export function aiSdkUnderTest(release: Release): AdapterUnderTest<OpenAIProvider> {
  return {
    ...questions(release.ai, (provider: OpenAIProvider, model) => provider.chat(model)),
    provider: 'openai',
    root: '/v1',
    serve: startOpenAiServer,
    connect: release.createOpenAI,
    apis: Object.fromEntries(
      Object.entries(AGENTS).map(([api, agent]) => [
        api,
        (provider: OpenAIProvider) => agent({ ...release, provider, ran: () => {} }),
      ]),
    ),
  };
}

type Asking<Provider extends object> = Pick<
  AdapterUnderTest<Provider>,
  'instrument' | 'standsIn' | 'ask' | 'stream' | 'runTools'
>;

/** How a language model of any provider is asked. */
export function questions<Provider extends object>(
  ai: Ai,
  modelOf: (provider: Provider, model: string) => LanguageModel,
): Asking<Provider> {
  const asked = (provider: Provider, { text, model = MODEL, image, signal }: Question) => {
    const content = [
      { type: 'text' as const, text },
      ...(image === undefined ? [] : [{ type: 'file' as const, data: image, mediaType: 'image/png' }]),
    ];
    const messages = [{ role: 'user' as const, content }];
    return { model: modelOf(provider, model), messages, ...(signal === undefined ? {} : { abortSignal: signal }) };
  };
  return {
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
  };
}

/** A stream whose errors are thrown, and not parts of it. */
async function* textOf(ai: Ai, asked: Parameters<Ai['streamText']>[0]): AsyncGenerator<string> {
  for await (const part of ai.streamText({ ...asked, onError: () => {} }).fullStream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') yield part.text;
  }
}
