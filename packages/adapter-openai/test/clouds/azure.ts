import { type AdapterUnderTest, type Connection, reaching, startAzureServer } from '@stepfork/adapter-conformance';
import OpenAI, { AzureOpenAI } from 'openai';
import * as zod from 'openai/helpers/zod';
import Newest, { AzureOpenAI as NewestAzure } from 'openai-newest';
import * as newestZod from 'openai-newest/helpers/zod';
import Oldest, { AzureOpenAI as OldestAzure } from 'openai-oldest';
import * as oldestZod from 'openai-oldest/helpers/zod';
import type { Sdk } from '../conformance/sdks.js';
import { openaiUnderTest } from '../conformance/under-test.js';

export interface AzureSdk extends Sdk {
  readonly AzureOpenAI: typeof AzureOpenAI;
}

export const AZURE_SDKS: Readonly<Record<string, AzureSdk>> = {
  '6.0.0': { OpenAI: Oldest, AzureOpenAI: OldestAzure, ...oldestZod } as unknown as AzureSdk,
  '6.49.0': { OpenAI, AzureOpenAI, ...zod },
  '7.59.0': { OpenAI: Newest, AzureOpenAI: NewestAzure, ...newestZod } as unknown as AzureSdk,
};

const ENDPOINT = { endpoint: 'https://demo.openai.azure.com', apiVersion: '2024-10-21' };

/** Responses have a path without a deployment, which this version does not have. */
const ELSEWHERE = /^responses/;

/** The client for Azure, and how this release of the SDK is used with it. */
export function azureUnderTest(sdk: AzureSdk): AdapterUnderTest<OpenAI> {
  const under = openaiUnderTest(sdk);
  const apis = Object.entries(under.apis).filter(([api]) => !ELSEWHERE.test(api));
  // Copies know no version of their own before release 7.
  const copy = (azure: OpenAI): OpenAI =>
    azure.withOptions({ maxRetries: 0, apiVersion: ENDPOINT.apiVersion } as object);
  return {
    ...under,
    provider: 'azure',
    root: '',
    serve: startAzureServer,
    connect: ({ baseURL, apiKey }: Connection) =>
      new sdk.AzureOpenAI({ ...ENDPOINT, apiKey, fetch: reaching(baseURL) }),
    connectBy: (baseURL, azureADTokenProvider) => {
      // It refuses a token beside a key, which it finds in the environment.
      delete process.env.AZURE_OPENAI_API_KEY;
      return new sdk.AzureOpenAI({ ...ENDPOINT, azureADTokenProvider, fetch: reaching(baseURL) });
    },
    copy,
    apis: { ...Object.fromEntries(apis), 'a copy by withOptions': (azure) => under.ask(copy(azure), { text: 'hi' }) },
  };
}
