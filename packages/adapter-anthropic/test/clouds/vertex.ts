import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { AnthropicVertex } from '@anthropic-ai/vertex-sdk';
import { type AdapterUnderTest, type Connection, reaching, startVertexServer } from '@stepfork/adapter-conformance';
import { anthropicUnderTest } from '../conformance/under-test.js';

/** What Google's library gives to whoever has an account. */
const accountOf = (token: () => Promise<string>) => ({
  getRequestHeaders: async () => new Headers({ authorization: `Bearer ${await token()}` }),
});

/** A client of somebody who has an account. */
export const connectBy = (baseURL: string, token: () => Promise<string>): Anthropic =>
  new AnthropicVertex({
    region: 'europe-west1',
    projectId: 'demo-project',
    authClient: accountOf(token) as never,
    fetch: reaching(baseURL),
  }) as unknown as Anthropic;

/** The client for Vertex, and how it is used. */
export const vertexUnderTest: AdapterUnderTest<Anthropic> = {
  ...anthropicUnderTest({ Anthropic, betaZodTool, takesKeyFunction: true }),
  provider: 'google-vertex',
  serve: startVertexServer,
  connect: ({ baseURL, apiKey }: Connection) => connectBy(baseURL, async () => apiKey),
  connectBy,
};
