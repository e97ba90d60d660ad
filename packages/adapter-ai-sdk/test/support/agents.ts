import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { instrument } from '../../src/index.js';
import type { Ai, OpenAIProvider, Release } from './release.js';

/** What an agent is made with. */
export interface Means extends Release {
  /** Instrumented. */
  readonly provider: OpenAIProvider;
  /** Told of each body of a tool that runs. */
  readonly ran: (tool: string) => void;
}

export type Agent = (means: Means) => Promise<unknown>;

export const MODEL = 'gpt-4o-mini';
const place = z.object({ city: z.string() });

/** A tool by each form of `execute`. */
export function toolsOf({ ai, ran }: Pick<Means, 'ai' | 'ran'>) {
  const description = 'The weather in a city';
  return {
    async: ai.tool({
      description,
      inputSchema: place,
      // Of those that are called side by side the first ends last.
      execute: async ({ city }) => {
        ran('async');
        await setTimeout(city === 'Rome' ? 30 : 5);
        return { city, degrees: 21, at: new Date(0), map: new Uint8Array([1, 2]) };
      },
    }),
    generator: ai.tool({
      description,
      inputSchema: place,
      async *execute({ city }) {
        ran('generator');
        yield { city, state: 'asking' };
        await setTimeout(1);
        yield { city, state: 'known', degrees: 21 };
      },
    }),
    failing: ai.tool({
      description,
      inputSchema: place,
      execute: async ({ city }): Promise<object> => {
        ran('failing');
        throw new RangeError(`no weather in ${city}`);
      },
    }),
  };
}

const weather = (means: Means, form: keyof ReturnType<typeof toolsOf>) => instrument({ weather: toolsOf(means)[form] });

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** What can be said of an error that the SDK gives to its caller. */
function shown(ai: Ai, thrown: unknown): unknown {
  const { name, message } = thrown as Error;
  if (!ai.APICallError.isInstance(thrown)) return [name, message];
  return [name, message, thrown.statusCode, thrown.isRetryable, thrown.responseBody];
}

const thrownBy = (ai: Ai, made: Promise<unknown>): Promise<unknown> =>
  made.then(
    () => 'nothing',
    (thrown: unknown) => shown(ai, thrown),
  );

/** What of an answer is plain data. */
const facts = ({ text, usage, finishReason, response }: Said) => [text, usage, finishReason, shownOf(response)];

interface Said {
  readonly text: string;
  readonly usage: unknown;
  readonly finishReason: string;
  readonly response: Responded;
}

interface Responded {
  readonly id?: string;
  readonly modelId?: string;
  readonly timestamp?: Date;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Without what is another each time, and recorded by nobody: a header `date`. */
const shownOf = ({ id, modelId, timestamp, headers }: Responded) => [id, modelId, timestamp, headers?.['x-request-id']];

export const AGENTS: Readonly<Record<string, Agent>> = {
  generateText: async ({ ai, provider }) =>
    facts(await ai.generateText({ model: provider.chat(MODEL), prompt: 'hi', temperature: 0 })),
  'generateText of responses': async ({ ai, provider }) =>
    facts(await ai.generateText({ model: provider(MODEL), prompt: 'hi' })),
  'generateText with an image': async ({ ai, provider }) => {
    const content = [
      { type: 'text' as const, text: 'what is it?' },
      { type: 'image' as const, image: new Uint8Array([137, 80, 78, 71, 1, 2, 3]), mediaType: 'image/png' },
    ];
    return facts(await ai.generateText({ model: provider.chat(MODEL), messages: [{ role: 'user', content }] }));
  },
  'generateText with a tool, in steps': async (means) => {
    const { ai, provider } = means;
    const model = provider.chat(MODEL);
    const tools = weather(means, 'async');
    const answer = await ai.generateText({ model, tools, prompt: 'Rome?', stopWhen: ai.stepCountIs(3) });
    return [facts(answer), answer.steps.map(({ toolResults }) => toolResults)];
  },
  'generateText of a model that a text names': async ({ ai, provider }) => {
    const world = globalThis as { AI_SDK_DEFAULT_PROVIDER?: unknown };
    const before = world.AI_SDK_DEFAULT_PROVIDER;
    world.AI_SDK_DEFAULT_PROVIDER = { languageModel: provider.chat };
    try {
      return (await ai.generateText({ model: MODEL, prompt: 'hi' })).text;
    } finally {
      world.AI_SDK_DEFAULT_PROVIDER = before;
    }
  },
  'generateText with a generator tool': async (means) => {
    const { ai, provider } = means;
    const model = provider.chat(MODEL);
    const tools = weather(means, 'generator');
    const answer = await ai.generateText({ model, tools, prompt: 'Rome?', stopWhen: ai.stepCountIs(3) });
    return [answer.text, answer.steps.map(({ toolResults }) => toolResults)];
  },
  'generateText with a tool that throws': async (means) => {
    const { ai, provider } = means;
    const model = provider.chat(MODEL);
    const tools = weather(means, 'failing');
    const answer = await ai.generateText({ model, tools, prompt: 'Rome?', stopWhen: ai.stepCountIs(3) });
    return [answer.text, answer.steps.map(({ content }) => content)];
  },
  'generateText with parallel tools that end out of order': async (means) => {
    const { ai, provider } = means;
    const model = provider.chat(MODEL);
    const tools = weather(means, 'async');
    const answer = await ai.generateText({ model, tools, prompt: 'Rome, Oslo, Lima?', stopWhen: ai.stepCountIs(3) });
    return [answer.text, answer.steps.map(({ toolResults }) => toolResults)];
  },
  'generateText with Output.object': async ({ ai, provider }) => {
    const output = ai.Output.object({ schema: place });
    const answer = await ai.generateText({ model: provider.chat(MODEL), output, prompt: '{"city":"Rome"}' });
    return answer.output;
  },
  streamText: async ({ ai, provider }) => {
    const stream = ai.streamText({ model: provider.chat(MODEL), prompt: 'hi' });
    return [
      await all(stream.textStream),
      await stream.usage,
      await stream.finishReason,
      shownOf(await stream.response),
    ];
  },
  'streamText of responses': async ({ ai, provider }) =>
    all(ai.streamText({ model: provider(MODEL), prompt: 'hi' }).textStream),
  'streamText with raw chunks': async ({ ai, provider }) =>
    (await all(ai.streamText({ model: provider.chat(MODEL), prompt: 'hi', includeRawChunks: true }).fullStream)).filter(
      ({ type }) => type === 'raw' || type === 'text-delta',
    ),
  'streamText with tools, in steps': async (means) => {
    const { ai, provider } = means;
    const model = provider.chat(MODEL);
    const tools = weather(means, 'async');
    const stream = ai.streamText({ model, tools, prompt: 'Rome, Oslo?', stopWhen: ai.stepCountIs(3) });
    return [(await all(stream.fullStream)).map(({ type }) => type), await stream.text, await stream.toolResults];
  },
  'streamText with a generator tool': async (means) => {
    const { ai, provider } = means;
    const model = provider.chat(MODEL);
    const tools = weather(means, 'generator');
    const stream = ai.streamText({ model, tools, prompt: 'Rome?', stopWhen: ai.stepCountIs(3) });
    return (await all(stream.fullStream)).filter(({ type }) => type === 'tool-result');
  },
  generateObject: async ({ ai, provider }) => {
    const answer = await ai.generateObject({ model: provider.chat(MODEL), schema: place, prompt: '{"city":"Rome"}' });
    return [answer.object, answer.usage, shownOf(answer.response)];
  },
  streamObject: async ({ ai, provider }) => {
    const stream = ai.streamObject({ model: provider.chat(MODEL), output: 'no-schema', prompt: '{"city":"Rome"}' });
    return [await all(stream.textStream), await stream.object.catch(({ name }: Error) => name)];
  },
  embed: async ({ ai, provider }) => {
    const { embedding, usage } = await ai.embed({ model: provider.embedding('embed-1'), value: 'two words' });
    return [embedding, usage];
  },
  embedMany: async ({ ai, provider }) =>
    (await ai.embedMany({ model: provider.embedding('embed-1'), values: ['two words'] })).embeddings,
  generateImage: async ({ ai, provider }) =>
    (await ai.generateImage({ model: provider.image('gpt-image-1'), prompt: 'a dot' })).image.base64,
  ToolLoopAgent: async (means) => {
    const { ai, provider } = means;
    const agent = new ai.ToolLoopAgent({ model: provider.chat(MODEL), tools: weather(means, 'async') });
    return (await agent.generate({ prompt: 'Rome?' })).text;
  },
  'a 429, then success': async ({ ai, provider }) =>
    (await ai.generateText({ model: provider.chat('busy-once'), prompt: 'hi' })).text,
  'a 500, then success': async ({ ai, provider }) =>
    (await ai.generateText({ model: provider.chat('down-once'), prompt: 'hi' })).text,
  'a 500, then success, streamed': async ({ ai, provider }) =>
    all(ai.streamText({ model: provider.chat('down-once'), prompt: 'hi' }).textStream),
  'a 404': ({ ai, provider }) => thrownBy(ai, ai.generateText({ model: provider.chat('no-such-model'), prompt: 'hi' })),
  'a 404, streamed': async ({ ai, provider }) => {
    const errors: unknown[] = [];
    const onError = ({ error }: { error: unknown }): void => void errors.push(shown(ai, error));
    const stream = ai.streamText({ model: provider.chat('no-such-model'), prompt: 'hi', onError });
    return [await all(stream.textStream), errors];
  },
  'an abandoned stream': async ({ ai, provider }) => {
    for await (const text of ai.streamText({ model: provider.chat(MODEL), prompt: 'hi' }).textStream) return text;
    return null;
  },
  'an aborted stream': async ({ ai, provider }) => {
    const controller = new AbortController();
    const stream = ai.streamText({ model: provider.chat(MODEL), prompt: 'hi', abortSignal: controller.signal });
    const types: string[] = [];
    for await (const part of stream.fullStream) {
      types.push(part.type);
      if (part.type === 'text-delta') controller.abort();
    }
    return types;
  },
  'parallel calls that end out of order': async ({ ai, provider }) => {
    const ended: string[] = [];
    const ask = async (prompt: string): Promise<unknown> => {
      const { text } = await ai.generateText({ model: provider.chat(MODEL), prompt });
      ended.push(prompt);
      return text;
    };
    return [await Promise.all(['slow', 'fast', 'slow'].map(ask)), ended];
  },
};
