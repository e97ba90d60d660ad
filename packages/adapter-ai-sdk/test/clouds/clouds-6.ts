import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createBedrockAnthropic } from '@ai-sdk/amazon-bedrock/anthropic';
import { createAzure } from '@ai-sdk/azure';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  type AdapterUnderTest,
  type Connection,
  reaching,
  startAzureServer,
  startBedrockServer,
  startGoogleServer,
  startOpenAiServer,
} from '@stepfork/adapter-conformance';
import * as ai from 'ai';
import { z } from 'zod';
import { instrument } from '../../src/index.js';
import { questions } from '../conformance/under-test.js';
import type { Ai } from '../support/release.js';

/** What the packages of all clouds give. */
export interface Provider {
  readonly languageModel: (model: string) => ai.LanguageModel;
  readonly embeddingModel?: (model: string) => ai.EmbeddingModel;
}

export type Cloud = Pick<AdapterUnderTest<Provider>, 'provider' | 'serve' | 'connect' | 'connectBy' | 'secrets'>;

const SECRET_KEY = 'wJalrXUtnFEMI-K7MDENG-bPxRfiCYEXAMPLEKEY';
const KEYS = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: SECRET_KEY };
const REGION = { region: 'eu-central-1' };
const aws = ({ baseURL, apiKey }: Connection) => ({
  ...REGION,
  ...KEYS,
  sessionToken: apiKey,
  fetch: reaching(baseURL),
});
const awsBy = (baseURL: string, token: () => Promise<string>) => ({
  ...REGION,
  credentialProvider: async () => ({ ...KEYS, sessionToken: await token() }),
  fetch: reaching(baseURL),
});
export const acme = ({ baseURL, apiKey }: Connection) => ({
  name: 'acme',
  baseURL: `${baseURL}/models/v2`,
  queryParams: { 'api-version': '2026-01-01' },
  includeUsage: true,
  apiKey,
});

/** Each by the very addresses of its provider, which reach a server on this machine. */
const CLOUDS: Readonly<Record<string, Cloud>> = {
  '@ai-sdk/amazon-bedrock 4.0.186': {
    provider: 'bedrock',
    serve: startBedrockServer,
    secrets: [SECRET_KEY],
    connect: (connection) => createAmazonBedrock(aws(connection)),
    connectBy: (baseURL, token) => createAmazonBedrock(awsBy(baseURL, token)),
  },
  '@ai-sdk/amazon-bedrock/anthropic 4.0.186': {
    provider: 'bedrock',
    serve: startBedrockServer,
    secrets: [SECRET_KEY],
    connect: (connection) => createBedrockAnthropic(aws(connection)),
    connectBy: (baseURL, token) => createBedrockAnthropic(awsBy(baseURL, token)),
  },
  '@ai-sdk/azure 3.0.128': {
    provider: 'azure',
    serve: startAzureServer,
    connect: ({ baseURL, apiKey }) => {
      const azure = createAzure({ resourceName: 'demo', apiKey, fetch: reaching(baseURL) });
      return Object.assign(azure, { languageModel: azure.chat });
    },
  },
  '@ai-sdk/google 3.0.141': {
    provider: 'google',
    serve: startGoogleServer,
    connect: ({ baseURL, apiKey }) => createGoogleGenerativeAI({ apiKey, fetch: reaching(baseURL) }),
  },
  '@ai-sdk/openai-compatible 2.0.92': {
    provider: 'acme',
    serve: startOpenAiServer,
    connect: (connection) => createOpenAICompatible(acme(connection)),
  },
};

const PLACE = z.object({ city: z.string() });

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** Everything that an agent asks of a cloud's model. */
function apisOf(release: Ai): AdapterUnderTest<Provider>['apis'] {
  const tools = () =>
    instrument({
      weather: release.tool({ inputSchema: PLACE, execute: async ({ city }) => ({ city, degrees: 21 }) }),
    });
  const asked = (provider: Provider, prompt: string) => ({ model: provider.languageModel('model-1'), prompt });
  const inSteps = (provider: Provider) => ({
    ...asked(provider, 'Rome, Oslo?'),
    tools: tools(),
    stopWhen: release.stepCountIs(3),
  });
  return {
    generateText: async (provider) => {
      const { text, usage, finishReason } = await release.generateText(asked(provider, 'hi'));
      return [text, usage, finishReason];
    },
    'generateText with a tool, in steps': async (provider) => {
      const { text, steps } = await release.generateText(inSteps(provider));
      return [text, steps.map(({ toolResults }) => toolResults.map(({ output }) => output))];
    },
    streamText: async (provider) => {
      const stream = release.streamText(asked(provider, 'hi'));
      return [await all(stream.textStream), await stream.usage, await stream.finishReason];
    },
    'streamText with tools, in steps': async (provider) => {
      const stream = release.streamText(inSteps(provider));
      const types = (await all(stream.fullStream)).map(({ type }) => type);
      return [types, await stream.text, (await stream.steps).length];
    },
  };
}

/** The packages of one release of the SDK, and how their models are asked. */
export function cloudsUnderTest(
  release: Ai,
  clouds: Readonly<Record<string, Cloud>>,
): Readonly<Record<string, AdapterUnderTest<Provider>>> {
  const asking = questions(release, (provider: Provider, model) => provider.languageModel(model));
  return Object.fromEntries(
    Object.entries(clouds).map(([name, cloud]) => [name, { ...asking, ...cloud, root: '', apis: apisOf(release) }]),
  );
}

/** Those that are CommonJS, too: jest loads them as they are. */
export const CLOUDS_6 = cloudsUnderTest(ai, CLOUDS);
