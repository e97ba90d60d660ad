import { createGoogleGenerativeAI } from '@ai-sdk/google-newest';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible-newest';
import { type AdapterUnderTest, reaching, startGoogleServer, startOpenAiServer } from '@stepfork/adapter-conformance';
import * as newest from 'ai-newest';
import type { Ai } from '../support/release.js';
import { acme, CLOUDS_6, type Cloud, cloudsUnderTest, type Provider } from './clouds-6.js';

const NEWEST: Readonly<Record<string, Cloud>> = {
  '@ai-sdk/google 4.0.121': {
    provider: 'google',
    serve: startGoogleServer,
    connect: ({ baseURL, apiKey }) =>
      createGoogleGenerativeAI({ apiKey, fetch: reaching(baseURL) }) as unknown as Provider,
  },
  '@ai-sdk/openai-compatible 3.0.92': {
    provider: 'acme',
    serve: startOpenAiServer,
    connect: (connection) => createOpenAICompatible(acme(connection)) as unknown as Provider,
  },
};

export const CLOUDS_UNDER_TEST: Readonly<Record<string, AdapterUnderTest<Provider>>> = {
  ...CLOUDS_6,
  ...cloudsUnderTest(newest as unknown as Ai, NEWEST),
};
